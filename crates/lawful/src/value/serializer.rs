//! A strict serializer to [`Value`]: nothing is rounded or dropped.

use std::fmt;

use serde::ser::{
    self, Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct,
    SerializeStructVariant, SerializeTuple, SerializeTupleStruct, SerializeTupleVariant,
    Serializer,
};

use super::{Map, Number, Value};
use crate::limits::Limits;

/// Serialises into a value.
pub(super) struct ToValue {
    /// How many levels may still nest.
    pub room: usize,
}

impl ToValue {
    /// The same, one level deeper.
    fn inner(self) -> Result<Self, NotAValue> {
        let room = self.room.checked_sub(1);
        room.map(|room| Self { room }).ok_or_else(|| {
            let most = Limits::default().document.depth;
            NotAValue(format!("the value nests deeper than the limit of {most} levels"))
        })
    }
}

/// Why something cannot be converted to a value.
#[derive(Debug)]
pub(super) struct NotAValue(String);

impl fmt::Display for NotAValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotAValue {}

impl ser::Error for NotAValue {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

fn integer<N: fmt::Display + Copy + TryInto<i64>>(value: N) -> Result<Value, NotAValue> {
    let whole = value.try_into().map(Value::from);
    whole.map_err(|_| {
        NotAValue(format!("the integer {value} does not fit in a signed 64-bit integer"))
    })
}

impl Serializer for ToValue {
    type Ok = Value;
    type Error = NotAValue;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Items;
    type SerializeTupleVariant = Variant<Items>;
    type SerializeMap = Entries;
    type SerializeStruct = Entries;
    type SerializeStructVariant = Variant<Entries>;

    fn serialize_bool(self, value: bool) -> Result<Value, NotAValue> {
        Ok(Value::Bool(value))
    }

    fn serialize_i8(self, value: i8) -> Result<Value, NotAValue> {
        integer(value)
    }

    fn serialize_i16(self, value: i16) -> Result<Value, NotAValue> {
        integer(value)
    }

    fn serialize_i32(self, value: i32) -> Result<Value, NotAValue> {
        integer(value)
    }

    fn serialize_i64(self, value: i64) -> Result<Value, NotAValue> {
        integer(value)
    }

    fn serialize_i128(self, value: i128) -> Result<Value, NotAValue> {
        integer(value)
    }

    fn serialize_u8(self, value: u8) -> Result<Value, NotAValue> {
        integer(value)
    }

    fn serialize_u16(self, value: u16) -> Result<Value, NotAValue> {
        integer(value)
    }

    fn serialize_u32(self, value: u32) -> Result<Value, NotAValue> {
        integer(value)
    }

    fn serialize_u64(self, value: u64) -> Result<Value, NotAValue> {
        integer(value)
    }

    fn serialize_u128(self, value: u128) -> Result<Value, NotAValue> {
        integer(value)
    }

    fn serialize_f32(self, value: f32) -> Result<Value, NotAValue> {
        self.serialize_f64(f64::from(value))
    }

    fn serialize_f64(self, value: f64) -> Result<Value, NotAValue> {
        let number = Number::from_float(value).map(Value::Number);
        number.ok_or_else(|| NotAValue(format!("the number {value} is not finite")))
    }

    fn serialize_char(self, value: char) -> Result<Value, NotAValue> {
        Ok(Value::from(value.to_string()))
    }

    fn serialize_str(self, value: &str) -> Result<Value, NotAValue> {
        Ok(Value::from(value))
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<Value, NotAValue> {
        Ok(Value::List(value.iter().map(|byte| Value::from(i64::from(*byte))).collect()))
    }

    fn serialize_none(self) -> Result<Value, NotAValue> {
        Ok(Value::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, NotAValue> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Value, NotAValue> {
        Ok(Value::Null)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Value, NotAValue> {
        Ok(Value::Null)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Value, NotAValue> {
        Ok(Value::from(variant))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Value, NotAValue> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Value, NotAValue> {
        Ok(tagged(variant, value.serialize(self.inner()?)?))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items, NotAValue> {
        Ok(Items { list: Vec::new(), room: self.inner()?.room })
    }

    fn serialize_tuple(self, _: usize) -> Result<Items, NotAValue> {
        Ok(Items { list: Vec::new(), room: self.inner()?.room })
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items, NotAValue> {
        Ok(Items { list: Vec::new(), room: self.inner()?.room })
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Variant<Items>, NotAValue> {
        Ok(Variant { name: variant, inner: Items { list: Vec::new(), room: self.inner()?.room } })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Entries, NotAValue> {
        Ok(Entries { room: self.inner()?.room, ..Entries::default() })
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Entries, NotAValue> {
        Ok(Entries { room: self.inner()?.room, ..Entries::default() })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Variant<Entries>, NotAValue> {
        Ok(Variant {
            name: variant,
            inner: Entries { room: self.inner()?.room, ..Entries::default() },
        })
    }
}

/// The default form of an enum variant: an object with one key.
fn tagged(variant: &'static str, value: Value) -> Value {
    let mut map = Map::new();
    map.insert(variant, value);
    Value::Map(map)
}

/// A list that is being built.
pub(super) struct Items {
    list: Vec<Value>,
    room: usize,
}

impl Items {
    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotAValue> {
        self.list.push(value.serialize(ToValue { room: self.room })?);
        Ok(())
    }
}

impl SerializeSeq for Items {
    type Ok = Value;
    type Error = NotAValue;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotAValue> {
        self.push(value)
    }

    fn end(self) -> Result<Value, NotAValue> {
        Ok(Value::List(self.list))
    }
}

impl SerializeTuple for Items {
    type Ok = Value;
    type Error = NotAValue;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotAValue> {
        self.push(value)
    }

    fn end(self) -> Result<Value, NotAValue> {
        Ok(Value::List(self.list))
    }
}

impl SerializeTupleStruct for Items {
    type Ok = Value;
    type Error = NotAValue;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotAValue> {
        self.push(value)
    }

    fn end(self) -> Result<Value, NotAValue> {
        Ok(Value::List(self.list))
    }
}

/// The content of an enum variant that is being built.
pub(super) struct Variant<I> {
    name: &'static str,
    inner: I,
}

impl SerializeTupleVariant for Variant<Items> {
    type Ok = Value;
    type Error = NotAValue;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotAValue> {
        self.inner.push(value)
    }

    fn end(self) -> Result<Value, NotAValue> {
        Ok(tagged(self.name, Value::List(self.inner.list)))
    }
}

/// An object that is being built.
#[derive(Default)]
pub(super) struct Entries {
    map: Map,
    key: String,
    room: usize,
}

impl Entries {
    fn insert<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<(), NotAValue> {
        self.map.insert(key, value.serialize(ToValue { room: self.room })?);
        Ok(())
    }
}

impl SerializeMap for Entries {
    type Ok = Value;
    type Error = NotAValue;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), NotAValue> {
        self.key = key.serialize(ToKey)?;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotAValue> {
        let key = std::mem::take(&mut self.key);
        self.insert(&key, value)
    }

    fn end(self) -> Result<Value, NotAValue> {
        Ok(Value::Map(self.map))
    }
}

impl SerializeStruct for Entries {
    type Ok = Value;
    type Error = NotAValue;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), NotAValue> {
        self.insert(key, value)
    }

    fn end(self) -> Result<Value, NotAValue> {
        Ok(Value::Map(self.map))
    }
}

impl SerializeStructVariant for Variant<Entries> {
    type Ok = Value;
    type Error = NotAValue;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), NotAValue> {
        self.inner.insert(key, value)
    }

    fn end(self) -> Result<Value, NotAValue> {
        Ok(tagged(self.name, Value::Map(self.inner.map)))
    }
}

/// Serialises a key: a string or a unit variant of an enum.
struct ToKey;

macro_rules! refuse {
    ($($method:ident: $type:ty),*) => {
        $(fn $method(self, _: $type) -> Result<String, NotAValue> {
            Err(not_a_key())
        })*
    };
}

fn not_a_key() -> NotAValue {
    NotAValue("a key is not a string".to_owned())
}

impl Serializer for ToKey {
    type Ok = String;
    type Error = NotAValue;
    type SerializeSeq = Impossible<String, NotAValue>;
    type SerializeTuple = Impossible<String, NotAValue>;
    type SerializeTupleStruct = Impossible<String, NotAValue>;
    type SerializeTupleVariant = Impossible<String, NotAValue>;
    type SerializeMap = Impossible<String, NotAValue>;
    type SerializeStruct = Impossible<String, NotAValue>;
    type SerializeStructVariant = Impossible<String, NotAValue>;

    refuse!(
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32,
        serialize_i64: i64, serialize_u8: u8, serialize_u16: u16, serialize_u32: u32,
        serialize_u64: u64, serialize_f32: f32, serialize_f64: f64, serialize_bytes: &[u8],
        serialize_unit_struct: &'static str
    );

    fn serialize_char(self, value: char) -> Result<String, NotAValue> {
        Ok(value.to_string())
    }

    fn serialize_str(self, value: &str) -> Result<String, NotAValue> {
        Ok(value.to_owned())
    }

    fn serialize_none(self) -> Result<String, NotAValue> {
        Err(not_a_key())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<String, NotAValue> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<String, NotAValue> {
        Err(not_a_key())
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<String, NotAValue> {
        Ok(variant.to_owned())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<String, NotAValue> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<String, NotAValue> {
        Err(not_a_key())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, NotAValue> {
        Err(not_a_key())
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, NotAValue> {
        Err(not_a_key())
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, NotAValue> {
        Err(not_a_key())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, NotAValue> {
        Err(not_a_key())
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, NotAValue> {
        Err(not_a_key())
    }

    fn serialize_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStruct, NotAValue> {
        Err(not_a_key())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, NotAValue> {
        Err(not_a_key())
    }
}
