//! `gannet board`: a page in the browser on which people play against Gannet and analyse with it.
//!
//! The server has no game in its head: every request brings its game along, so a page survives a restart of the server and
//! the server survives whatever a page does. Games are kept in a file by [`shelf`]. [`http`] reads and answers, [`guard`] turns other web sites away,
//! [`routes`] says what there is, [`lobby`] has the engines.

mod game;
mod guard;
mod http;
pub mod import;
mod lobby;
mod progress;
mod review;
mod routes;
mod shelf;
mod tree;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lobby::Lobby;
use shelf::Shelf;

/// The port to begin with where none is asked for, and how many are tried from there.
const FIRST_PORT: u16 = 8080;
const PORTS: u16 = 10;

/// So many connections may be open. No request takes long, so when there are more, the oldest is from somebody who
/// is slow or has gone, and it is closed.
const MAX_CONNECTIONS: usize = 128;

/// What a thread that answers a request needs; searches have threads of their own.
const STACK_SIZE: usize = 512 << 10;

const AFTER_HELP: &str = "\
Examples:
  gannet board --open                    start it and open the page
  gannet board --port 9000 --threads 4   on another port, with four threads for each search";

/// Play and analyse on a board in the browser
///
/// Starts a small web server for this machine and prints the address to open. Ctrl-C ends it; a game that is open in
/// a browser is kept there and goes on when the server is back.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Port to listen on, 0 for any that is free [default: the first free one from 8080 to 8089]
    #[arg(long)]
    port: Option<u16>,

    /// Address to listen on; 0.0.0.0 lets every machine of the network in
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,

    /// Threads for each search
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// Table of each engine, in MiB; there is an engine for each page that plays or analyses, eight at most
    #[arg(long, value_name = "MIB", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: u32,

    /// The file that games are kept in [default: gannet/games.sqlite in your data folder]
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,

    /// Open the page in the browser
    #[arg(long)]
    open: bool,
}

/// Serves until the program is ended.
pub fn run(arguments: &Arguments) -> ExitCode {
    let started = listen(arguments.address, arguments.port).and_then(|listener| {
        let shelf = Shelf::open(arguments.games.clone().or_else(shelf::usual_file).as_deref());
        // One can play all the same.
        if let Some(fault) = shelf.fault() {
            crate::complain(format_args!("no games are kept: {fault}"));
        }
        let lobby = Lobby::open(arguments.hash as usize, usize::from(arguments.threads), shelf)
            .map_err(|error| format!("cannot start a thread: {error}"))?;
        Ok((listener, lobby))
    });
    let (listener, lobby) = match started {
        Ok(started) => started,
        Err(error) => {
            crate::complain(error);
            return ExitCode::FAILURE;
        }
    };
    if let Ok(address) = listener.local_addr() {
        announce(address, arguments.open);
    }
    serve(&listener, &lobby)
}

/// Listens on the port that was asked for, or on the first of the usual ones that is free.
fn listen(address: IpAddr, port: Option<u16>) -> Result<TcpListener, String> {
    if let Some(port) = port {
        return TcpListener::bind((address, port)).map_err(|error| {
            let advice = "choose another --port, or leave --port out and the first free one is taken";
            match error.kind() {
                io::ErrorKind::AddrInUse => format!("port {port} of {address} is in use by another program; {advice}"),
                io::ErrorKind::PermissionDenied => format!("port {port} is not for everybody; {advice}"),
                _ => format!("cannot listen on port {port} of {address}: {error}"),
            }
        });
    }
    let mut last = io::Error::from(io::ErrorKind::AddrInUse);
    for port in FIRST_PORT..FIRST_PORT + PORTS {
        match TcpListener::bind((address, port)) {
            Ok(listener) => return Ok(listener),
            Err(error) => last = error,
        }
    }
    let ports = format!("{FIRST_PORT} to {}", FIRST_PORT + PORTS - 1);
    Err(format!("cannot listen on any of the ports {ports} of {address}: {last}; --port 0 takes any that is free"))
}

/// Says where the page is, and opens it on request.
fn announce(address: SocketAddr, open: bool) {
    let host = match address.ip() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => IpAddr::V6(Ipv6Addr::LOCALHOST),
        host => host,
    };
    let url = format!("http://{}/", SocketAddr::new(host, address.port()));
    let mut text = format!("Gannet's board is at {url} (Ctrl-C ends it)\n");
    if !address.ip().is_loopback() {
        text += "Everybody who reaches this address can let Gannet think on this machine.\n";
    }
    // Nobody may be reading; the page is there all the same.
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    if open && let Err(error) = open_browser(&url) {
        crate::complain(format_args!("cannot open a browser ({error}); open {url} yourself"));
    }
}

fn open_browser(url: &str) -> io::Result<()> {
    let mut command = if cfg!(target_os = "windows") {
        let mut command = Command::new("rundll32");
        command.arg("url.dll,FileProtocolHandler");
        command
    } else if cfg!(target_os = "macos") {
        Command::new("open")
    } else {
        Command::new("xdg-open")
    };
    let mut child = command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    // Some of these last as long as the browser does, and somebody has to hear of their end.
    std::thread::Builder::new().spawn(move || child.wait()).map(drop)
}

/// The connections that are open, by the order in which they came.
type Connections = Mutex<BTreeMap<u64, TcpStream>>;

/// Gives each connection a thread.
fn serve(listener: &TcpListener, lobby: &Arc<Lobby>) -> ! {
    let connections = Arc::<Connections>::default();
    let mut number = 0;
    loop {
        let Ok((stream, _)) = listener.accept() else {
            // There may be too many files open. Those who are here will leave.
            std::thread::sleep(Duration::from_millis(50));
            continue;
        };
        number += 1;
        let Ok(handle) = stream.try_clone() else { continue };
        admit(&connections, number, handle);
        let leaving = Leaving { connections: Arc::clone(&connections), number };
        let lobby = Arc::clone(lobby);
        let work = move || {
            let _leaving = leaving;
            http::converse(&stream, routes::longest, |request| routes::answer(request, &lobby));
        };
        // Without a thread the connection is closed, and the page tries again.
        let _ = std::thread::Builder::new().name("request".into()).stack_size(STACK_SIZE).spawn(work);
    }
}

/// Notes a connection, and closes the oldest where there are too many.
fn admit(connections: &Connections, number: u64, handle: TcpStream) {
    let mut open = connections.lock().unwrap_or_else(PoisonError::into_inner);
    open.insert(number, handle);
    if open.len() > MAX_CONNECTIONS
        && let Some((_, oldest)) = open.pop_first()
    {
        let _ = oldest.shutdown(Shutdown::Both);
    }
}

/// Strikes a connection off when its thread ends, however that happens.
struct Leaving {
    connections: Arc<Connections>,
    number: u64,
}

impl Drop for Leaving {
    fn drop(&mut self) {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.number);
    }
}
