//! The games that are kept: one SQLite file in the user's data folder, which several servers may use at once.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::json;
use pgn::Reader;
use pgn::record::Record;

/// So many games are listed at once.
const PAGE: usize = 50;
/// Another program may be writing this long.
const PATIENCE: Duration = Duration::from_secs(3);

/// The table, and the version of it that this program knows.
const TABLE: &str = "
    CREATE TABLE IF NOT EXISTS games (
        key TEXT PRIMARY KEY,
        changed INTEGER NOT NULL,
        white TEXT NOT NULL,
        black TEXT NOT NULL,
        result TEXT NOT NULL,
        date TEXT NOT NULL,
        event TEXT NOT NULL,
        moves INTEGER NOT NULL,
        words TEXT NOT NULL,
        pgn TEXT NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS games_by_change ON games (changed);
    PRAGMA user_version = 1;";
const VERSION: i64 = 1;

/// The games that are kept, or why none are.
pub struct Shelf(Result<Mutex<Connection>, String>);

/// The file in which games are kept if none is named; nothing if the machine does not say where data belongs.
pub fn usual_file() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = if cfg!(target_os = "windows") {
        folder("APPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        // A folder that is not absolute is to be passed over, as the standard for it says.
        let named = folder("XDG_DATA_HOME").filter(|folder| folder.is_absolute());
        named.or_else(|| folder("HOME").map(|home| home.join(".local/share")))
    };
    data.map(|data| data.join("gannet").join("games.sqlite"))
}

impl Shelf {
    /// The games in this file, which is made if it is not there.
    pub fn open(file: Option<&Path>) -> Shelf {
        let Some(file) = file else {
            return Shelf(Err("this machine does not say where data belongs; name a file with --games".to_string()));
        };
        let open = || -> Result<Connection, String> {
            if let Some(folder) = file.parent() {
                std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
            }
            prepare(Connection::open(file).map_err(in_words)?)
        };
        Shelf(open().map(Mutex::new).map_err(|error| format!("{}: {error}", file.display())))
    }

    /// Why no games are kept, if so.
    pub fn fault(&self) -> Option<&str> {
        self.0.as_ref().err().map(String::as_str)
    }

    fn connection(&self) -> Result<MutexGuard<'_, Connection>, String> {
        match &self.0 {
            Ok(connection) => Ok(connection.lock().unwrap_or_else(PoisonError::into_inner)),
            Err(fault) => Err(format!("no games are kept: {fault}")),
        }
    }

    /// Keeps a game under this key, in place of what was there. Another one with the same text is not needed any more.
    pub fn keep(&self, key: &str, pgn: &str) -> Result<(), String> {
        let record = Reader::new(pgn.as_bytes(), 0).verbatim().next();
        let record = record.filter(|record| record.broken.is_none()).ok_or("this is no game that can be kept")?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as i64);
        let tag = |name| record.tag(name).unwrap_or("?");
        let mut connection = self.connection()?;
        let change = connection.transaction().map_err(in_words)?;
        change.execute("DELETE FROM games WHERE pgn = ?1 AND key <> ?2", params![pgn, key]).map_err(in_words)?;
        let row = params![
            key,
            now,
            tag("White"),
            tag("Black"),
            record.result,
            tag("Date"),
            tag("Event"),
            record.main.plies.len().div_ceil(2) as i64,
            words(&record),
            pgn
        ];
        let insert = "INSERT OR REPLACE INTO games VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
        change.execute(insert, row).map_err(in_words)?;
        change.commit().map_err(in_words)
    }

    /// A game as PGN.
    pub fn game(&self, key: &str) -> Result<String, String> {
        let connection = self.connection()?;
        let found = connection.query_row("SELECT pgn FROM games WHERE key = ?1", [key], |row| row.get(0));
        found.optional().map_err(in_words)?.ok_or_else(|| "this game is not kept any more".to_string())
    }

    /// Throws a game away.
    pub fn forget(&self, key: &str) -> Result<(), String> {
        self.connection()?.execute("DELETE FROM games WHERE key = ?1", [key]).map(drop).map_err(in_words)
    }

    /// The games in which all these words stand, in a tag or as the result, the latest first, from this place in the list on;
    /// and how many there are.
    pub fn list(&self, search: &str, from: usize) -> Result<String, String> {
        let connection = self.connection()?;
        let patterns: Vec<String> = search.to_lowercase().split_whitespace().map(pattern).collect();
        let every = "words LIKE ? ESCAPE '\\'";
        let which = if patterns.is_empty() { "1".to_string() } else { vec![every; patterns.len()].join(" AND ") };
        let values = || rusqlite::params_from_iter(patterns.iter());
        let count: i64 = connection
            .query_row(&format!("SELECT count(*) FROM games WHERE {which}"), values(), |row| row.get(0))
            .map_err(in_words)?;
        let columns = "key, changed, white, black, result, date, event, moves";
        let query =
            format!("SELECT {columns} FROM games WHERE {which} ORDER BY changed DESC, key LIMIT {PAGE} OFFSET {from}");
        let mut query = connection.prepare(&query).map_err(in_words)?;
        let rows = query.query_map(values(), describe).map_err(in_words)?;
        let games = rows.collect::<Result<Vec<_>, _>>().map_err(in_words)?;
        Ok(json::object([("count", count.to_string()), ("from", from.to_string()), ("games", json::list(games))]))
    }

    /// All games as PGN, the oldest first.
    pub fn export(&self) -> Result<String, String> {
        let connection = self.connection()?;
        let mut query = connection.prepare("SELECT pgn FROM games ORDER BY changed, key").map_err(in_words)?;
        let rows = query.query_map([], |row| row.get::<_, String>(0)).map_err(in_words)?;
        let games = rows.collect::<Result<Vec<_>, _>>().map_err(in_words)?;
        Ok(games.iter().map(|game| format!("{}\n\n", game.trim_end())).collect())
    }
}

/// Makes a database ready, unless it is another program's or that of a later version.
fn prepare(connection: Connection) -> Result<Connection, String> {
    connection.busy_timeout(PATIENCE).map_err(in_words)?;
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(in_words)?;
    if version > VERSION {
        return Err("it was written by a later version of Gannet".to_string());
    }
    if version < VERSION {
        connection.execute_batch(TABLE).map_err(in_words)?;
    }
    Ok(connection)
}

fn in_words(error: rusqlite::Error) -> String {
    error.to_string()
}

/// What a game is found by: its tags and result, in small letters.
fn words(record: &Record) -> String {
    let tags = record.tags.iter().filter(|(name, _)| name != "FEN").map(|(_, value)| value.as_str());
    tags.chain([record.result.as_str()]).collect::<Vec<_>>().join(" ").to_lowercase()
}

/// A word anywhere, for LIKE; its own signs are meant as they stand.
fn pattern(word: &str) -> String {
    let mut pattern = String::from("%");
    for letter in word.chars() {
        if matches!(letter, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern + "%"
}

/// A game in a list.
fn describe(row: &Row<'_>) -> rusqlite::Result<String> {
    let text = |index| row.get::<_, String>(index).map(|text| json::text(&text));
    let number = |index| row.get::<_, i64>(index).map(|number| number.to_string());
    Ok(json::object([
        ("key", text(0)?),
        ("changed", number(1)?),
        ("white", text(2)?),
        ("black", text(3)?),
        ("result", text(4)?),
        ("date", text(5)?),
        ("event", text(6)?),
        ("moves", number(7)?),
    ]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shelf() -> Shelf {
        Shelf(Connection::open_in_memory().map_err(in_words).and_then(prepare).map(Mutex::new))
    }

    fn names(shelf: &Shelf, search: &str) -> Vec<String> {
        let list = shelf.list(search, 0).expect("it is there");
        list.split("\"white\":\"").skip(1).map(|rest| rest.split('"').next().unwrap_or("").to_string()).collect()
    }

    #[test]
    fn games_are_kept_found_and_thrown_away() {
        let shelf = shelf();
        let game = |white: &str, moves: &str| format!("[White \"{white}\"]\n[Event \"50%_off\"]\n\n{moves} *\n");
        shelf.keep("a", &game("Müller", "1. e4 e5")).expect("kept");
        shelf.keep("b", &game("ÖSTLUND", "1. d4")).expect("kept");
        shelf.keep("a", &game("Müller", "1. e4 e5 2. Nf3")).expect("kept again");
        assert_eq!(shelf.game("a").as_deref(), Ok(game("Müller", "1. e4 e5 2. Nf3").as_str()));
        assert_eq!(names(&shelf, "").len(), 2);
        for (search, found) in [
            ("müller", vec!["Müller"]),
            ("  OFF öst", vec!["ÖSTLUND"]),
            ("%_", vec!["ÖSTLUND", "Müller"]),
            ("0_o", vec![]),
            ("' OR 1=1 --", vec![]),
        ] {
            let mut names = names(&shelf, search);
            names.sort_by_key(|name| name == "Müller");
            assert_eq!(names, found, "{search}");
        }
        assert!(
            shelf
                .list("", 0)
                .is_ok_and(|list| list.starts_with(r#"{"count":2,"from":0,"#) && list.contains(r#""moves":2"#))
        );
        assert!(shelf.list("", 1).is_ok_and(|list| list.matches("\"key\"").count() == 1));
        let all = shelf.export().expect("it is there");
        assert_eq!(Reader::new(all.as_bytes(), 0).count(), 2);
        shelf.forget("a").expect("gone");
        assert!(shelf.game("a").is_err_and(|error| error.contains("not kept any more")));
    }

    #[test]
    fn the_same_game_is_kept_once() {
        let shelf = shelf();
        for key in ["a", "b"] {
            shelf.keep(key, "1. e4 *").expect("kept");
        }
        assert!(shelf.game("a").is_err() && shelf.game("b").is_ok());
        assert!(shelf.keep("c", "1. e9").is_err() && shelf.keep("c", "").is_err());
    }

    #[test]
    fn what_cannot_be_opened_is_told() {
        let folder = std::env::temp_dir().join(format!("gannet-shelf-{}", std::process::id()));
        let file = folder.join("deep/games.sqlite");
        assert_eq!(Shelf::open(Some(&file)).fault(), None);
        let shelf = Shelf::open(Some(&file));
        shelf.keep("a", "1. e4 *").expect("kept");
        let later = Connection::open(&file).and_then(|file| file.execute_batch("PRAGMA user_version = 2"));
        assert!(later.is_ok() && Shelf::open(Some(&file)).fault().is_some_and(|fault| fault.contains("later version")));
        std::fs::write(&file, "something else, and long enough to be taken for a database".repeat(100))
            .expect("written");
        let other = Shelf::open(Some(&file));
        assert!(other.fault().is_some_and(|fault| fault.contains("games.sqlite: ")), "{:?}", other.fault());
        assert!(other.keep("a", "1. e4 *").is_err_and(|error| error.starts_with("no games are kept: ")));
        assert!(Shelf::open(Some(&folder)).fault().is_some());
        assert!(Shelf::open(None).fault().is_some());
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
