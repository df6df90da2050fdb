//! The loopback interface of a new network namespace, which is down at first.

use std::io;

use rustix::net::netlink::SocketAddrNetlink;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, sendto, socket_with,
};

/// Brings the loopback interface up. Needs the right to administer the network namespace.
pub fn bring_up() -> io::Result<()> {
    // The protocol 0 is `NETLINK_ROUTE`.
    let socket = socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, None)?;
    sendto(&socket, &request(), SendFlags::empty(), &SocketAddrNetlink::new(0, 0))?;
    let mut answer = [0_u8; 256];
    let (length, _) = recv(&socket, &mut answer, RecvFlags::empty())?;
    let error = answer.get(16..20).filter(|_| length >= 20);
    let error = error.and_then(|bytes| <[u8; 4]>::try_from(bytes).ok()).map(i32::from_ne_bytes);
    match error {
        Some(0) => Ok(()),
        Some(error) => Err(io::Error::from_raw_os_error(error.saturating_neg())),
        None => Err(io::Error::other("the answer is too short")),
    }
}

/// `RTM_NEWLINK`: the interface with index 1 gets the flag `IFF_UP`.
fn request() -> Vec<u8> {
    const NEW_LINK: u16 = 16;
    /// `NLM_F_REQUEST | NLM_F_ACK`
    const FLAGS: u16 = 1 | 4;
    const LOOPBACK: i32 = 1;
    const UP: u32 = 1;
    let mut message = Vec::with_capacity(32);
    message.extend(32_u32.to_ne_bytes());
    message.extend(NEW_LINK.to_ne_bytes());
    message.extend(FLAGS.to_ne_bytes());
    // The number of the message and the sender, which only the answer repeats.
    message.extend([0_u8; 8]);
    // The address family and the type of the device: any.
    message.extend([0_u8; 4]);
    message.extend(LOOPBACK.to_ne_bytes());
    message.extend(UP.to_ne_bytes());
    message.extend(UP.to_ne_bytes());
    message
}
