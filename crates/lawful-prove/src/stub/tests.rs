use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use super::*;

fn stub(limits: Limits) -> Stub {
    Stub::start(limits, |request| {
        let reply = || Reply::new(("text/plain", format!("got {}", request.body)));
        (request.path == "/model").then(reply)
    })
    .unwrap()
}

fn send(stub: &Stub, request: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", stub.port())).unwrap();
    let _ = stream.write_all(request.as_bytes());
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    answer
}

#[test]
fn a_request_for_the_model_is_answered_and_recorded() {
    let stub = stub(Limits::default());
    let answer = send(&stub, "POST /model HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc");
    assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.ends_with("got abc"), "{answer}");
    let chunked =
        "POST /model HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n";
    assert!(send(&stub, chunked).ends_with("got abc"));
    let own = format!("POST http://127.0.0.1:{}/model HTTP/1.1\r\n\r\n", stub.port());
    assert!(send(&stub, &own).ends_with("got "));
    assert_eq!(stub.requests().len(), 3);
    assert_eq!(stub.refused(), Vec::<String>::new());
}

#[test]
fn everything_else_is_recorded_and_refused() {
    let stub = stub(Limits::default());
    assert!(send(&stub, "CONNECT example.org:443 HTTP/1.1\r\n\r\n").contains("403"));
    assert!(send(&stub, "GET http://example.com/x?key=1 HTTP/1.1\r\n\r\n").contains("403"));
    assert!(send(&stub, "GET /v1/models HTTP/1.1\r\n\r\n").contains("404"));
    assert_eq!(stub.refused(), ["example.org:443", "example.com", "GET /v1/models"]);
    assert_eq!(stub.requests(), []);
}

#[test]
fn requests_and_bytes_are_bounded() {
    let limits = Limits { requests: 2, bytes: 4, all_bytes: 100 };
    let stub = stub(limits);
    assert_eq!(send(&stub, "POST /model HTTP/1.1\r\nContent-Length: 9\r\n\r\n123456789"), "");
    assert!(stub.problem().unwrap().contains("too large"), "{:?}", stub.problem());
    let stub = self::stub(Limits { requests: 0, ..limits });
    assert_eq!(send(&stub, "POST /model HTTP/1.1\r\n\r\n"), "");
    assert!(stub.problem().unwrap().contains("more than 0 requests"));
}
