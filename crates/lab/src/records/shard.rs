//! Shards: files of game blocks. Writing them one block at a time, reading them whatever has happened to them.

use std::fmt;
use std::fs::File;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::codec::{RecordError, Replay};
use crate::failure::{Failure, Result};
use engine::{Crc, crc32};

/// No shard is larger.
pub const MAX_SHARD: u64 = 15 << 20;

/// No larger file is read into memory.
const MAX_READ: u64 = 256 << 20;

/// How every shard begins. The first byte is no text, and the line end would suffer from a transfer as text.
const MAGIC: [u8; 8] = *b"\xB6Gannet\n";
const VERSION: u16 = 1;
const HEADER: usize = 32;

/// How every block begins.
const MARKER: [u8; 2] = [0xB6, 0x67];
/// Marker, length and checksum.
const BLOCK_HEADER: usize = 8;
/// The bytes of a block besides its game.
pub const BLOCK_OVERHEAD: u64 = BLOCK_HEADER as u64;
/// No game has more bytes; at most five a ply, this is far beyond the longest.
const MAX_GAME: usize = 0x7fff;
/// How far from the start of a file without a header blocks are looked for, before it counts as foreign.
const FOREIGN_AFTER: usize = 64 << 10;

/// What the beginning of a shard says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Header {
    /// The seed of the run; zero after a merge.
    pub seed: u64,
    /// The number of the first game within the run; zero after a merge.
    pub first: u64,
}

impl Header {
    fn bytes(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10..12].copy_from_slice(&(HEADER as u16).to_le_bytes());
        bytes[12..20].copy_from_slice(&self.seed.to_le_bytes());
        bytes[20..28].copy_from_slice(&self.first.to_le_bytes());
        let sum = crc32(&bytes[..28]);
        bytes[28..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    fn parse(bytes: &[u8; HEADER]) -> std::result::Result<Header, What> {
        let field = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        if bytes[..8] != MAGIC {
            return Err(What::Header);
        }
        if crc32(&bytes[..28]) != u32::from_le_bytes(std::array::from_fn(|i| bytes[28 + i])) {
            return Err(What::Header);
        }
        let version = u16::from_le_bytes([bytes[8], bytes[9]]);
        if version != VERSION {
            return Err(What::Version(version));
        }
        Ok(Header { seed: field(12), first: field(20) })
    }
}

/// What is wrong at some place of a shard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// Not a shard at all.
    Foreign,
    /// A shard of another version.
    Version(u16),
    /// The header is damaged.
    Header,
    /// No valid block here; so many bytes were passed over.
    Skipped(usize),
    /// The file ends within a block; so many bytes are left.
    Truncated(usize),
    /// The block is whole but its game is not.
    Game(RecordError),
    /// The game goes on after its end, at this ply of the record.
    AfterEnd(u32),
    /// The game ended otherwise than the record says.
    Ending,
}

/// A fault in a shard, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The file.
    pub path: PathBuf,
    /// The offset of the first byte that is wrong, or of the block that is.
    pub offset: usize,
    /// What is wrong.
    pub what: What,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, byte {}: ", self.path.display(), self.offset)?;
        match self.what {
            What::Foreign => f.write_str("this is not a file of game records"),
            What::Version(version) => {
                write!(f, "game records of version {version}; this program reads version {VERSION}")
            }
            What::Header => f.write_str("the header is damaged"),
            What::Skipped(bytes) => write!(f, "{bytes} bytes hold no valid game and were skipped"),
            What::Truncated(bytes) => write!(f, "the file ends within a game; its {bytes} bytes were skipped"),
            What::Game(error) => write!(f, "{error}"),
            What::AfterEnd(ply) => write!(f, "the game goes on although it is over by the rules before ply {ply}"),
            What::Ending => f.write_str("the result or the kind of end is not that of the last position"),
        }
    }
}

/// A block of a shard that is in memory: one game, checksum right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Where in the file it begins.
    pub offset: usize,
    /// Where its game's bytes are.
    game: Range<usize>,
}

/// A shard in memory.
pub struct Shard {
    /// The file.
    pub path: PathBuf,
    /// What its beginning says, where it is readable.
    pub header: Option<Header>,
    /// Its games, in the order of the file.
    pub blocks: Vec<Block>,
    /// What is wrong with it.
    pub faults: Vec<Fault>,
    bytes: Vec<u8>,
}

impl Shard {
    /// Reads a file. Only a failure to read is an error; damage is noted in `faults` and passed over.
    pub fn open(path: &Path) -> Result<Shard> {
        Shard::check_readable(path)?;
        let bytes = std::fs::read(path).map_err(|error| Failure::file("read", path, error))?;
        Ok(Shard::parse(path, bytes))
    }

    /// Whether a path is a file that can be read, and not one without end. It need not be a shard.
    pub fn check_readable(path: &Path) -> Result<()> {
        let failed = |error: &dyn fmt::Display| Failure::file("read", path, error);
        let data = std::fs::metadata(path).map_err(|error| failed(&error))?;
        if !data.is_file() {
            return Err(failed(&"a file of game records expected"));
        }
        if data.len() > MAX_READ {
            return Err(failed(&format!("{} bytes; a file of game records has at most {MAX_READ}", data.len())));
        }
        File::open(path).map(drop).map_err(|error| failed(&error))
    }

    /// Finds the blocks of a file's bytes.
    pub fn parse(path: &Path, bytes: Vec<u8>) -> Shard {
        let mut shard = Shard { path: path.to_path_buf(), header: None, blocks: Vec::new(), faults: Vec::new(), bytes };
        let begin = shard.bytes.first_chunk::<HEADER>().map(Header::parse);
        let mut at = HEADER;
        match begin {
            Some(Ok(header)) => shard.header = Some(header),
            Some(Err(what @ What::Version(_))) => {
                shard.fault(0, what);
                return shard;
            }
            // A damaged header must not cost the games, but a picture of a cat must not be searched to its end.
            _ => match shard.next_block(0, FOREIGN_AFTER) {
                Some(found) => {
                    shard.fault(0, What::Header);
                    at = found;
                }
                None => {
                    let magic = shard.bytes.starts_with(&MAGIC) || MAGIC.starts_with(&shard.bytes);
                    shard.fault(0, if magic { What::Header } else { What::Foreign });
                    return shard;
                }
            },
        }
        while at < shard.bytes.len() {
            if let Some(game) = shard.block_at(at) {
                let end = game.end;
                shard.blocks.push(Block { offset: at, game });
                at = end;
                continue;
            }
            let end = shard.bytes.len();
            match shard.next_block(at + 1, usize::MAX) {
                Some(found) => {
                    shard.fault(at, What::Skipped(found - at));
                    at = found;
                }
                None => {
                    shard.fault(at, What::Truncated(end - at));
                    at = end;
                }
            }
        }
        shard
    }

    fn fault(&mut self, offset: usize, what: What) {
        self.faults.push(Fault { path: self.path.clone(), offset, what });
    }

    /// The game's bytes, if a whole block with the right checksum is here.
    fn block_at(&self, at: usize) -> Option<Range<usize>> {
        let head = self.bytes.get(at..)?.first_chunk::<BLOCK_HEADER>()?;
        if head[..2] != MARKER {
            return None;
        }
        let len = usize::from(u16::from_le_bytes([head[2], head[3]]));
        if len > MAX_GAME {
            return None;
        }
        let game = at + BLOCK_HEADER..at + BLOCK_HEADER + len;
        let sum = u32::from_le_bytes([head[4], head[5], head[6], head[7]]);
        (checksum(self.bytes.get(game.clone())?) == sum).then_some(game)
    }

    /// The first valid block from here on, at most `within` bytes away.
    fn next_block(&self, from: usize, within: usize) -> Option<usize> {
        let last = from.saturating_add(within).min(self.bytes.len());
        (from..last).find(|&at| self.bytes[at] == MARKER[0] && self.block_at(at).is_some())
    }

    /// The bytes of a game.
    pub fn game(&self, block: &Block) -> &[u8] {
        self.bytes.get(block.game.clone()).unwrap_or_default()
    }

    /// A game to replay.
    pub fn replay(&self, block: &Block) -> std::result::Result<Replay<'_>, RecordError> {
        Replay::new(self.game(block))
    }

    /// A fault of a block's game.
    pub fn game_fault(&self, block: &Block, what: What) -> Fault {
        Fault { path: self.path.clone(), offset: block.offset, what }
    }

    /// Where the last whole game ends.
    pub fn good_end(&self) -> u64 {
        self.blocks.last().map_or(HEADER, |block| block.game.end) as u64
    }

    /// Whether the file ends with its header or before.
    pub fn is_only_header(&self) -> bool {
        self.bytes.len() <= HEADER
            && (self.header.is_some() || MAGIC.starts_with(&self.bytes[..self.bytes.len().min(8)]))
    }

    /// How many bytes the file has.
    pub fn size(&self) -> u64 {
        self.bytes.len() as u64
    }
}

/// The checksum of a block: of its game's bytes, and of how many they are.
fn checksum(game: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.add(&(game.len() as u16).to_le_bytes());
    crc.add(game);
    crc.sum()
}

/// Writes shards into a folder, one after the other. Every game is handed to the system at once, so a process that
/// is killed leaves at most one torn block at the end of the last file.
pub struct ShardWriter {
    name: Box<dyn Fn(u64) -> PathBuf + Send>,
    number: u64,
    header: Header,
    file: Option<(PathBuf, File)>,
    size: u64,
    games: u64,
}

impl ShardWriter {
    /// Begins with the shard of this number; the file is made when the first game comes. `name` gives each shard
    /// its path; `header` is that of the first, and the following ones count on.
    pub fn new(number: u64, header: Header, name: impl Fn(u64) -> PathBuf + Send + 'static) -> ShardWriter {
        ShardWriter { name: Box::new(name), number, header, file: None, size: 0, games: 0 }
    }

    /// Writes an encoded game; returns how many bytes it took.
    pub fn write(&mut self, game: &[u8]) -> Result<u64> {
        if game.len() > MAX_GAME {
            return Err(Failure::new(format!("a game of {} bytes; at most {MAX_GAME} can be written", game.len())));
        }
        let mut block = Vec::with_capacity(BLOCK_HEADER + game.len());
        block.extend_from_slice(&MARKER);
        block.extend_from_slice(&(game.len() as u16).to_le_bytes());
        block.extend_from_slice(&checksum(game).to_le_bytes());
        block.extend_from_slice(game);
        if self.file.is_some() && self.size + block.len() as u64 > MAX_SHARD {
            self.close()?;
        }
        if self.file.is_none() {
            self.open()?;
        }
        if let Some((path, file)) = &mut self.file {
            file.write_all(&block).map_err(|error| Failure::file("write", path, error))?;
        }
        self.size += block.len() as u64;
        self.games += 1;
        Ok(block.len() as u64)
    }

    fn open(&mut self) -> Result<()> {
        let path = (self.name)(self.number);
        let failed = |error| Failure::file("write", &path, error);
        let mut file = File::create_new(&path).map_err(failed)?;
        let header = Header { first: self.header.first + self.games, ..self.header };
        if let Err(error) = file.write_all(&header.bytes()) {
            // Without a game it is of no use, and the next attempt needs its name.
            let _ = std::fs::remove_file(&path);
            return Err(failed(error));
        }
        self.number += 1;
        self.size = HEADER as u64;
        self.file = Some((path, file));
        Ok(())
    }

    /// Ends the current shard: all of it is on the disk then.
    pub fn close(&mut self) -> Result<()> {
        match self.file.take() {
            Some((path, file)) => file.sync_all().map_err(|error| Failure::file("write", &path, error)),
            None => Ok(()),
        }
    }
}

/// The shards in these places, sorted: files are taken as they are, folders are searched for `*.games`.
pub fn shards(places: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for place in places {
        if !place.is_dir() {
            found.push(place.clone());
            continue;
        }
        let mut inside = Vec::new();
        for entry in std::fs::read_dir(place).map_err(|error| Failure::file("read", place, error))? {
            let path = entry.map_err(|error| Failure::file("read", place, error))?.path();
            if path.extension().is_some_and(|extension| extension == "games") && path.is_file() {
                inside.push(path);
            }
        }
        inside.sort();
        found.append(&mut inside);
    }
    Ok(found)
}
