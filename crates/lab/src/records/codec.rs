//! One game as bytes, and back by replaying it.

use std::fmt;

use chess::{Board, Move, Score};

use super::packed::{put_board, take_board};
use super::{End, FLAG_CHESS960, FLAG_SIDE_LINES, GameInfo, GameRecord, GameResult, Ply, SideLine};

/// What can be wrong inside a block whose checksum is right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordError {
    /// The bytes end too early.
    Short,
    /// The bytes go on after the last ply.
    Long,
    /// The start position is none.
    Board,
    /// A result, an end or a flag that does not exist.
    Header,
    /// There are fewer legal moves than that, at this ply of the record.
    Move(u32),
    /// A score outside its range, at this ply of the record.
    Score(u32),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Short => f.write_str("the game ends in the middle"),
            RecordError::Long => f.write_str("there are bytes after the last ply"),
            RecordError::Board => f.write_str("the start position is not a legal one"),
            RecordError::Header => f.write_str("the game's header has a result, end or flag that does not exist"),
            RecordError::Move(ply) => write!(f, "ply {ply}: there are fewer legal moves than the record says"),
            RecordError::Score(ply) => write!(f, "ply {ply}: the score is out of range"),
        }
    }
}

impl std::error::Error for RecordError {}

/// Bytes that are read from the front.
pub struct Input<'a>(pub &'a [u8]);

impl<'a> Input<'a> {
    #[inline(always)]
    pub fn byte(&mut self) -> Result<u8, RecordError> {
        let (&byte, rest) = self.0.split_first().ok_or(RecordError::Short)?;
        self.0 = rest;
        Ok(byte)
    }

    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], RecordError> {
        let (array, rest) = self.0.split_first_chunk().ok_or(RecordError::Short)?;
        self.0 = rest;
        Ok(*array)
    }

    /// A number in groups of seven bits, the lowest first, the top bit saying that more follow.
    #[inline(always)]
    pub fn varint(&mut self) -> Result<u32, RecordError> {
        let mut value = 0u64;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return u32::try_from(value).map_err(|_| RecordError::Header);
            }
        }
        Err(RecordError::Header)
    }
}

/// Appends a number as [`Input::varint`] reads it.
pub fn put_varint(out: &mut Vec<u8>, mut value: u32) {
    while value >= 128 {
        out.push(value as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Small numbers of either sign as small numbers: 0, -1, 1, -2, 2 …
fn zigzag(value: i32) -> u32 {
    (value << 1 ^ value >> 31) as u32
}

#[inline(always)]
fn unzigzag(value: u32) -> i32 {
    (value >> 1) as i32 ^ -((value & 1) as i32)
}

/// Appends a game. The moves must be legal.
pub fn encode(out: &mut Vec<u8>, game: &GameRecord) {
    let info = &game.info;
    put_board(out, &info.start);
    out.push(info.result as u8 | (info.end as u8) << 4);
    out.push(info.flags);
    out.extend_from_slice(&info.net.to_le_bytes());
    put_varint(out, info.nodes);
    put_varint(out, game.plies.len() as u32);
    let mut board = info.start.clone();
    let mut last = 0;
    let mut sides = game.sides.iter().peekable();
    for (number, &ply) in (0..).zip(&game.plies) {
        put_ply(out, &board, ply, &mut last);
        if info.flags & FLAG_SIDE_LINES != 0 {
            match sides.next_if(|side| side.ply == number) {
                Some(side) => put_side(out, board.clone(), side, last),
                None => out.push(0),
            }
        }
        board.make(ply.mv);
    }
}

/// The number of a move, as [`nth_move`] counts.
fn number_of(board: &Board, wanted: Move) -> u8 {
    board.legal_moves().iter().filter(|&&mv| mv < wanted).count() as u8
}

fn put_ply(out: &mut Vec<u8>, board: &Board, ply: Ply, last: &mut i32) {
    out.push(number_of(board, ply.mv));
    put_varint(out, zigzag(i32::from(ply.score) - *last));
    *last = i32::from(ply.score);
}

fn put_side(out: &mut Vec<u8>, mut board: Board, side: &SideLine, mut last: i32) {
    out.push(side.plies.len() as u8);
    out.push(number_of(&board, side.mv));
    board.make(side.mv);
    for &ply in &side.plies {
        put_ply(out, &board, ply, &mut last);
        board.make(ply.mv);
    }
}

/// A game read ply by ply: the board is the position before the next move.
pub struct Replay<'a> {
    /// What holds for the whole game.
    pub info: GameInfo,
    board: Board,
    input: Input<'a>,
    len: u32,
    done: u32,
    score: i32,
    side: Option<SideLine>,
}

impl<'a> Replay<'a> {
    /// Begins to read a game.
    pub fn new(bytes: &'a [u8]) -> Result<Replay<'a>, RecordError> {
        let mut input = Input(bytes);
        let start = take_board(&mut input)?;
        let ending = input.byte()?;
        let result = GameResult::from_bits(ending & 15).ok_or(RecordError::Header)?;
        let end = *End::ALL.get(usize::from(ending >> 4)).ok_or(RecordError::Header)?;
        let flags = input.byte()?;
        if flags & !(FLAG_CHESS960 | FLAG_SIDE_LINES) != 0 {
            return Err(RecordError::Header);
        }
        let net = u32::from_le_bytes(input.array()?);
        let nodes = input.varint()?;
        let len = input.varint()?;
        let board = start.clone();
        let info = GameInfo { start, result, end, flags, net, nodes };
        Ok(Replay { info, board, input, len, done: 0, score: 0, side: None })
    }

    /// The position before the next move; after the last one, the final position.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The next move and its score. It is not played yet: [`Replay::advance`] does that.
    #[inline(always)]
    pub fn peek(&mut self) -> Result<Option<Ply>, RecordError> {
        if self.done == self.len {
            return if self.input.0.is_empty() { Ok(None) } else { Err(RecordError::Long) };
        }
        let ply = take_ply(&mut self.input, &self.board, &mut self.score, self.done)?;
        if self.info.flags & FLAG_SIDE_LINES != 0 {
            self.side = self.next_side()?;
        }
        Ok(Some(ply))
    }

    /// What was searched beside the move that [`Replay::peek`] has returned.
    pub fn side(&self) -> Option<&SideLine> {
        self.side.as_ref()
    }

    fn next_side(&mut self) -> Result<Option<SideLine>, RecordError> {
        let len = self.input.byte()?;
        if len == 0 {
            return Ok(None);
        }
        let (mut board, mut score) = (self.board.clone(), self.score);
        let mv = nth_move(&board, self.input.byte()?).ok_or(RecordError::Move(self.done))?;
        board.make(mv);
        let mut plies = Vec::with_capacity(len.into());
        for _ in 0..len {
            let ply = take_ply(&mut self.input, &board, &mut score, self.done)?;
            plies.push(ply);
            board.make(ply.mv);
        }
        Ok(Some(SideLine { ply: self.done, mv, plies }))
    }

    /// Plays the move that [`Replay::peek`] has returned.
    #[inline(always)]
    pub fn advance(&mut self, ply: Ply) {
        self.board.make(ply.mv);
        self.done += 1;
    }

    /// The whole game.
    pub fn record(mut self) -> Result<GameRecord, RecordError> {
        let (mut plies, mut sides) = (Vec::new(), Vec::new());
        while let Some(ply) = self.peek()? {
            plies.push(ply);
            sides.extend(self.side.take());
            self.advance(ply);
        }
        Ok(GameRecord { info: self.info, plies, sides })
    }
}

/// The next move and its score; `number` is that of the game's ply.
#[inline(always)]
fn take_ply(input: &mut Input<'_>, board: &Board, score: &mut i32, number: u32) -> Result<Ply, RecordError> {
    let mv = nth_move(board, input.byte()?).ok_or(RecordError::Move(number))?;
    let difference = unzigzag(input.varint()?);
    *score = score.checked_add(difference).ok_or(RecordError::Score(number))?;
    let bad = RecordError::Score(number);
    if score.abs() > Score::MATE.0 {
        return Err(bad);
    }
    Ok(Ply { mv, score: i16::try_from(*score).map_err(|_| bad)? })
}

/// The legal move of this number, counted in the order of the sixteen bits of a move: by kind, then target, then origin.
#[inline(always)]
fn nth_move(board: &Board, index: u8) -> Option<Move> {
    let list = board.legal_moves();
    let index = usize::from(index);
    if index >= list.len() {
        return None;
    }
    let mut bits = [0u16; 256];
    for (bits, mv) in bits.iter_mut().zip(&list) {
        *bits = mv.bits();
    }
    let (_, &mut nth, _) = bits[..list.len()].select_nth_unstable(index);
    Move::from_bits(nth)
}
