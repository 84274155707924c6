//! Generating legal moves, in stages, into whatever wants them.
//!
//! Nothing pseudo-legal is ever produced: pieces move within their pin lines and within the check mask,
//! the king only to squares that are not attacked. Pawns move all at once, by shifting the set.

use super::Board;
use crate::attacks;
use crate::types::{Bitboard, Color, Move, MoveKind, MoveList, PieceKind, Square, Wing};

/// Receives the moves as they are found, a piece at a time. A list writes them down; a counter only
/// looks at the size of the sets, which is what makes bulk perft fast.
pub trait MoveSink {
    /// One piece's captures and quiet moves.
    fn piece(&mut self, from: Square, captures: Bitboard, quiets: Bitboard);
    /// Pawns arriving on `targets`, each from `step` squares before (negative for Black's forward).
    fn pawns(&mut self, targets: Bitboard, step: i8, kind: MoveKind);
    /// Pawns promoting on `targets`, each to four pieces.
    fn promotions(&mut self, targets: Bitboard, step: i8, capture: bool);
    /// One special move: castling or en passant.
    fn single(&mut self, mv: Move);
}

impl MoveSink for MoveList {
    #[inline(always)]
    fn piece(&mut self, from: Square, captures: Bitboard, quiets: Bitboard) {
        for to in captures {
            self.push(Move::new(from, to, MoveKind::Capture));
        }
        for to in quiets {
            self.push(Move::new(from, to, MoveKind::Quiet));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, step: i8, kind: MoveKind) {
        for to in targets {
            self.push(Move::new(origin(to, step), to, kind));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, step: i8, capture: bool) {
        for to in targets {
            for piece in PieceKind::PROMOTIONS {
                self.push(Move::new(origin(to, step), to, MoveKind::promotion(piece, capture)));
            }
        }
    }

    #[inline(always)]
    fn single(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// Counts moves without writing them down.
struct Counter(u64);

impl MoveSink for Counter {
    #[inline(always)]
    fn piece(&mut self, _: Square, captures: Bitboard, quiets: Bitboard) {
        self.0 += u64::from((captures | quiets).len());
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: i8, _: MoveKind) {
        self.0 += u64::from(targets.len());
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: i8, _: bool) {
        self.0 += 4 * u64::from(targets.len());
    }

    #[inline(always)]
    fn single(&mut self, _: Move) {
        self.0 += 1;
    }
}

#[inline(always)]
fn origin(to: Square, step: i8) -> Square {
    Square::new((to.index() as u8).wrapping_sub(step as u8))
}

/// Which moves are wanted.
trait Stage {
    /// Captures, en passant and every promotion.
    const NOISY: bool;
    /// The rest.
    const QUIET: bool;
}

struct Noisy;
struct Quiet;
struct All;

impl Stage for Noisy {
    const NOISY: bool = true;
    const QUIET: bool = false;
}

impl Stage for Quiet {
    const NOISY: bool = false;
    const QUIET: bool = true;
}

impl Stage for All {
    const NOISY: bool = true;
    const QUIET: bool = true;
}

impl Board {
    /// Every legal move.
    ///
    /// ```
    /// use chess::Board;
    /// assert_eq!(Board::start().legal_moves().len(), 20);
    /// ```
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate::<All>(&mut list);
        list
    }

    /// Adds every legal move. In check these are the evasions.
    ///
    /// ```
    /// use chess::{Board, MoveList};
    ///
    /// let mut moves = MoveList::new();
    /// Board::start().generate_all(&mut moves);
    /// assert_eq!(moves.len(), 20);
    /// ```
    pub fn generate_all(&self, sink: &mut impl MoveSink) {
        self.generate::<All>(sink);
    }

    /// Adds the legal captures and promotions, underpromotions included.
    ///
    /// ```
    /// use chess::{Board, MoveList};
    ///
    /// let mut captures = MoveList::new();
    /// Board::start().generate_captures(&mut captures);
    /// assert!(captures.is_empty());
    /// ```
    pub fn generate_captures(&self, sink: &mut impl MoveSink) {
        self.generate::<Noisy>(sink);
    }

    /// Adds the legal moves that are neither captures nor promotions.
    pub fn generate_quiets(&self, sink: &mut impl MoveSink) {
        self.generate::<Quiet>(sink);
    }

    /// Adds the legal moves of a side in check; none when it is not.
    pub fn generate_evasions(&self, sink: &mut impl MoveSink) {
        if self.in_check() {
            self.generate::<All>(sink);
        }
    }

    /// How many legal moves there are, counted without writing them down.
    ///
    /// ```
    /// use chess::Board;
    /// assert_eq!(Board::start().count_legal_moves(), 20);
    /// ```
    pub fn count_legal_moves(&self) -> u64 {
        let mut counter = Counter(0);
        self.generate::<All>(&mut counter);
        counter.0
    }

    /// Whether there is a legal move.
    ///
    /// ```
    /// use chess::Board;
    /// assert!(Board::start().has_legal_moves());
    /// ```
    pub fn has_legal_moves(&self) -> bool {
        self.count_legal_moves() > 0
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, sink: &mut impl MoveSink) {
        match self.side_to_move {
            Color::White => self.generate_for::<S, true>(sink),
            Color::Black => self.generate_for::<S, false>(sink),
        }
    }

    /// The whole generator for one side; the colour is a constant so that pawn shifts are too.
    fn generate_for<S: Stage, const WHITE: bool>(&self, sink: &mut impl MoveSink) {
        let us = if WHITE { Color::White } else { Color::Black };
        if !self.checkers.more_than_one() {
            let king = self.king(us);
            // Where a move must go to answer a check; anywhere when there is none.
            let mask = match self.checkers.first() {
                None => Bitboard::ALL,
                Some(checker) => attacks::between(king, checker) | self.checkers,
            };
            self.pawn_moves::<S, WHITE>(mask, sink);
            self.piece_moves::<S>(us, mask, sink);
        }
        self.king_moves::<S>(us, sink);
    }

    #[inline(always)]
    fn pawn_moves<S: Stage, const WHITE: bool>(&self, mask: Bitboard, sink: &mut impl MoveSink) {
        let us = if WHITE { Color::White } else { Color::Black };
        let (up, left, right): (i8, i8, i8) = if WHITE { (8, 7, 9) } else { (-8, -9, -7) };
        let last_rank = Bitboard::relative_rank(7, us);
        let pawns = self.pieces(us, PieceKind::Pawn);
        let free = !self.occupied();
        let pins = self.pins;

        // Pushes. A pawn pinned across its path cannot push; one pinned along the file stays on it.
        let pushers = pawns - pins.diagonal;
        let pinned_ahead = (pushers & pins.orthogonal).forward(us) & pins.orthogonal;
        let single = ((pushers - pins.orthogonal).forward(us) | pinned_ahead) & free;
        if S::QUIET {
            let double = (single & Bitboard::relative_rank(2, us)).forward(us) & free & mask;
            sink.pawns((single & mask) - last_rank, up, MoveKind::Quiet);
            sink.pawns(double, 2 * up, MoveKind::DoublePush);
        }
        if S::NOISY {
            let promoting = single & mask & last_rank;
            if promoting.any() {
                sink.promotions(promoting, up, false);
            }

            // Captures. A pawn pinned on a diagonal may capture along it.
            let takers = pawns - pins.orthogonal;
            let (loose, pinned) = ((takers - pins.diagonal).forward(us), (takers & pins.diagonal).forward(us));
            let targets = self.color(!us) & mask;
            let to_left = (loose.left() | (pinned.left() & pins.diagonal)) & targets;
            let to_right = (loose.right() | (pinned.right() & pins.diagonal)) & targets;
            sink.pawns(to_left - last_rank, left, MoveKind::Capture);
            sink.pawns(to_right - last_rank, right, MoveKind::Capture);
            if ((to_left | to_right) & last_rank).any() {
                sink.promotions(to_left & last_rank, left, true);
                sink.promotions(to_right & last_rank, right, true);
            }
            if let Some(target) = self.en_passant {
                for from in attacks::pawn(!us, target) & pawns {
                    if self.en_passant_is_safe(from, target, us) {
                        sink.single(Move::new(from, target, MoveKind::EnPassant));
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn piece_moves<S: Stage>(&self, us: Color, mask: Bitboard, sink: &mut impl MoveSink) {
        let own = self.color(us);
        let occupied = self.occupied();
        let pins = self.pins;
        let captures = if S::NOISY { self.color(!us) & mask } else { Bitboard::EMPTY };
        let quiets = if S::QUIET { mask - occupied } else { Bitboard::EMPTY };
        let mut emit = |from: Square, reach: Bitboard| sink.piece(from, reach & captures, reach & quiets);

        for from in (own & self.kind(PieceKind::Knight)) - pins.orthogonal - pins.diagonal {
            emit(from, attacks::knight(from));
        }
        let diagonal = own & self.diagonal_sliders();
        for from in diagonal - pins.orthogonal - pins.diagonal {
            emit(from, attacks::bishop(from, occupied));
        }
        for from in diagonal & pins.diagonal {
            emit(from, attacks::bishop(from, occupied) & pins.diagonal);
        }
        let orthogonal = own & self.orthogonal_sliders();
        for from in orthogonal - pins.orthogonal - pins.diagonal {
            emit(from, attacks::rook(from, occupied));
        }
        for from in orthogonal & pins.orthogonal {
            emit(from, attacks::rook(from, occupied) & pins.orthogonal);
        }
    }

    /// King moves and castling. What pawns, knights and the other king attack is found at once for all
    /// squares; sliders are asked only about the squares that are left.
    #[inline(always)]
    fn king_moves<S: Stage>(&self, us: Color, sink: &mut impl MoveSink) {
        let king = self.king(us);
        let reach = match (S::NOISY, S::QUIET) {
            (true, true) => !self.color(us),
            (true, false) => self.color(!us),
            _ => !self.occupied(),
        };
        let guarded = self.guarded_by_leapers(!us);
        let mut safe = (attacks::king(king) & reach) - guarded;
        for to in safe {
            if self.sliders_see(!us, to, king) {
                safe -= to.bitboard();
            }
        }
        sink.piece(king, safe & self.color(!us), safe - self.color(!us));
        if S::QUIET && self.checkers.is_empty() {
            for rook in self.castling.rooks(us) {
                if self.castling_is_safe(us, king, rook, guarded) {
                    sink.single(Move::new(king, rook, MoveKind::Castle));
                }
            }
        }
    }

    /// Whether the king, not in check, may castle now with a rook that still has the right to.
    pub(super) fn can_castle(&self, us: Color, king: Square, rook: Square) -> bool {
        self.castling_is_safe(us, king, rook, self.guarded_by_leapers(!us))
    }

    #[inline(always)]
    fn castling_is_safe(&self, us: Color, king: Square, rook: Square, guarded: Bitboard) -> bool {
        let wing = Wing::of(king, rook);
        let (king_to, rook_to) = (wing.king_target(us), wing.rook_target(us));
        let king_path = attacks::between(king, king_to) | king_to.bitboard();
        let rook_path = attacks::between(rook, rook_to) | rook_to.bitboard();
        let others = self.occupied() - king.bitboard() - rook.bitboard();
        // A rook that shields its king from a piece on the back rank would lay it bare by castling.
        if others.intersects(king_path | rook_path)
            || guarded.intersects(king_path)
            || self.pins.orthogonal.contains(rook)
        {
            return false;
        }
        king_path.into_iter().all(|square| !self.sliders_see(!us, square, king))
    }

    /// What pawns, knights and king of a side attack.
    #[inline(always)]
    fn guarded_by_leapers(&self, color: Color) -> Bitboard {
        let mut guarded = attacks::pawns(color, self.pieces(color, PieceKind::Pawn)) | attacks::king(self.king(color));
        for knight in self.pieces(color, PieceKind::Knight) {
            guarded |= attacks::knight(knight);
        }
        guarded
    }

    /// Whether a bishop, rook or queen of `by` attacks a square once the king has left its own.
    #[inline(always)]
    fn sliders_see(&self, by: Color, square: Square, king: Square) -> bool {
        let occupied = self.occupied() - king.bitboard();
        let sliders = (attacks::bishop(square, occupied) & self.diagonal_sliders())
            | (attacks::rook(square, occupied) & self.orthogonal_sliders());
        (sliders & self.color(by)).any()
    }
}
