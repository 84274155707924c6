//! As much of HTTP as a page needs: one request a connection, a limit on everything that comes, and a deadline, so that
//! nobody can make the server wait or hoard.

use std::borrow::Cow;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use super::guard::Source;

/// A request has to be here, and its answer taken, within this time each.
const PATIENCE: Duration = Duration::from_secs(5);
/// The first line and the headers.
const MAX_HEAD: usize = 16 << 10;
const MAX_HEADERS: usize = 64;
const TOO_MUCH: &str = "431 Request Header Fields Too Large";
/// What was sent but will not be read is let pass up to this, so that the sender gets to read why.
const MAX_IGNORED: usize = 1 << 20;

/// What a request wants to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Read something.
    Get,
    /// Know what reading it would answer.
    Head,
    /// Have something worked out.
    Post,
}

/// A request that was understood.
pub struct Request {
    /// What it wants to do.
    pub method: Method,
    /// With what: the part of the address after the host, without a query.
    pub path: String,
    /// What it brings along.
    pub body: String,
}

/// An answer.
#[derive(Debug)]
pub struct Reply {
    /// The number and its name.
    pub status: &'static str,
    /// What the body is.
    pub content_type: &'static str,
    /// The answer itself.
    pub body: Cow<'static, str>,
}

impl Reply {
    /// Something that was worked out.
    pub fn json(body: String) -> Reply {
        Reply { status: "200 OK", content_type: "application/json", body: body.into() }
    }

    /// Why something is not answered.
    pub fn refusal(status: &'static str, reason: impl Into<Cow<'static, str>>) -> Reply {
        Reply { status, content_type: "text/plain; charset=utf-8", body: reason.into() }
    }

    /// A request that makes no sense, and why.
    pub fn bad_request(reason: impl Into<Cow<'static, str>>) -> Reply {
        Reply::refusal("400 Bad Request", reason)
    }
}

/// Why there is no request.
enum Fault {
    /// Nobody is there any more.
    Gone,
    /// There is something to say about it.
    Refused(Reply),
}

impl From<Reply> for Fault {
    fn from(reply: Reply) -> Fault {
        Fault::Refused(reply)
    }
}

/// Reads one request, which may bring along as many bytes as `longest` says of its path, answers it and takes leave.
pub fn converse(stream: &TcpStream, longest: fn(&str) -> usize, answer: impl FnOnce(&Request) -> Reply) {
    let (reply, head_only) = match read(stream, longest, Instant::now() + PATIENCE) {
        Ok(request) => (answer(&request), request.method == Method::Head),
        Err(Fault::Refused(reply)) => (reply, false),
        Err(Fault::Gone) => return,
    };
    if write(stream, &reply, head_only).is_ok() {
        take_leave(stream);
    }
}

fn read(stream: &TcpStream, longest: fn(&str) -> usize, deadline: Instant) -> Result<Request, Fault> {
    let mut data = Vec::new();
    let head = loop {
        if let Some(head) = parse_head(&data)? {
            break head;
        }
        if data.len() >= MAX_HEAD {
            let reason = format!("the headers are longer than {MAX_HEAD} bytes");
            return Err(Reply::refusal(TOO_MUCH, reason).into());
        }
        read_more(stream, deadline, &mut data)?;
    };
    let longest = longest(&head.path);
    if head.body > longest {
        let reason = format!("the body has {} bytes; up to {longest} are read", head.body);
        return Err(Reply::refusal("413 Content Too Large", reason).into());
    }
    let end = head.size + head.body;
    while data.len() < end {
        read_more(stream, deadline, &mut data)?;
    }
    let body = data.get(head.size..end).unwrap_or_default().to_vec();
    let body = String::from_utf8(body).map_err(|_| Reply::bad_request("the body is not UTF-8"))?;
    Ok(Request { method: head.method, path: head.path, body })
}

/// Waits for some bytes, but not longer than to the deadline.
fn read_more(mut stream: &TcpStream, deadline: Instant, data: &mut Vec<u8>) -> Result<(), Fault> {
    // Browsers open connections that they may never use.
    let late = match data.is_empty() {
        true => Fault::Gone,
        false => Reply::refusal("408 Request Timeout", format!("the request was not here after {PATIENCE:?}")).into(),
    };
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(late);
    }
    stream.set_read_timeout(Some(left)).map_err(|_| Fault::Gone)?;
    let mut piece = [0; 16 << 10];
    match stream.read(&mut piece) {
        Ok(0) => Err(Fault::Gone),
        Ok(count) => {
            data.extend_from_slice(piece.get(..count).unwrap_or_default());
            Ok(())
        }
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => Err(late),
        Err(error) if error.kind() == ErrorKind::Interrupted => Ok(()),
        Err(_) => Err(Fault::Gone),
    }
}

/// What the first line and the headers say.
struct Head {
    method: Method,
    path: String,
    /// How long they are themselves.
    size: usize,
    /// How long what follows is.
    body: usize,
}

/// The head of a request, if all of it is here.
fn parse_head(data: &[u8]) -> Result<Option<Head>, Reply> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let size = match request.parse(data) {
        Ok(httparse::Status::Complete(size)) => size,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => {
            return Err(Reply::refusal(TOO_MUCH, format!("there are more than {MAX_HEADERS} headers")));
        }
        Err(error) => return Err(Reply::bad_request(format!("this is not HTTP/1: {error}"))),
    };
    let header = |name: &str| {
        let mut found = request.headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
        match (found.next(), found.next()) {
            (None, _) => Ok(None),
            (Some(header), None) => match std::str::from_utf8(header.value) {
                Ok(value) => Ok(Some(value.trim())),
                Err(_) => Err(Reply::bad_request(format!("the header {name} is not text"))),
            },
            _ => Err(Reply::bad_request(format!("the header {name} is there twice"))),
        }
    };
    let source = Source {
        host: header("Host")?,
        origin: header("Origin")?,
        fetch_site: header("Sec-Fetch-Site")?,
        fetch_mode: header("Sec-Fetch-Mode")?,
    };
    source.check().map_err(|reason| Reply::refusal("403 Forbidden", reason))?;
    let method = match request.method {
        Some("GET") => Method::Get,
        Some("HEAD") => Method::Head,
        Some("POST") => Method::Post,
        _ => return Err(Reply::refusal("405 Method Not Allowed", "GET, HEAD and POST are answered, nothing else")),
    };
    if header("Transfer-Encoding")?.is_some() {
        return Err(Reply::refusal("501 Not Implemented", "Transfer-Encoding is not understood; send Content-Length"));
    }
    let body = match header("Content-Length")? {
        Some(text) if text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty() => {
            // A number too large to be read is too large in any case.
            text.parse().unwrap_or(usize::MAX)
        }
        Some(text) => return Err(Reply::bad_request(format!("Content-Length is '{text}', expected a number"))),
        None if method == Method::Post => {
            return Err(Reply::refusal("411 Length Required", "a POST needs the header Content-Length"));
        }
        None => 0,
    };
    let target = request.path.unwrap_or("/");
    let path = target.split(['?', '#']).next().unwrap_or(target).to_string();
    Ok(Some(Head { method, path, size, body }))
}

fn write(mut stream: &TcpStream, reply: &Reply, head_only: bool) -> io::Result<()> {
    // The page may load what this server has, and nothing else; nobody may put it into a frame.
    let head = format!(
        "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-cache\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: same-origin\r\n\
         Content-Security-Policy: default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'\r\n\r\n",
        reply.status,
        reply.content_type,
        reply.body.len(),
    );
    let mut data = head.into_bytes();
    if !head_only {
        data.extend_from_slice(reply.body.as_bytes());
    }
    let deadline = Instant::now() + PATIENCE;
    let mut rest = &data[..];
    while !rest.is_empty() {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        stream.set_write_timeout(Some(left))?;
        match stream.write(rest) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => rest = rest.get(count..).unwrap_or_default(),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Closes the connection such that the answer arrives: a connection that is closed with bytes unread is torn down, and
/// what was on its way is lost.
fn take_leave(mut stream: &TcpStream) {
    let deadline = Instant::now() + PATIENCE;
    let mut ignored = 0;
    let mut piece = [0; 4096];
    if stream.shutdown(Shutdown::Write).is_err() {
        return;
    }
    while ignored < MAX_IGNORED {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            return;
        }
        match stream.read(&mut piece) {
            Ok(0) | Err(_) => return,
            Ok(count) => ignored += count,
        }
    }
}
