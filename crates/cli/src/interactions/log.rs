//! Writes the log, and finds interactions in it.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use etcetera::BaseStrategy as _;
use uuid::Uuid;

use crate::utc;

use super::read::find_interaction;
use super::record::{InteractionLine, LogLine};

/// The folder of this program among those of the user's state.
const FOLDER: &str = "seealso";
/// The folder of the log in it.
const LOG_FOLDER: &str = "interactions";
/// The seconds of a day in UTC.
const DAY_SECONDS: u64 = 86_400;

/// A log in a folder.
#[derive(Debug)]
pub(crate) struct InteractionLog {
    folder: PathBuf,
    writer: Mutex<Writer>,
}

/// The file that is written to.
#[derive(Debug, Default)]
struct Writer {
    /// The day, with its file; none before the first line, and after a fault.
    file: Option<(String, File)>,
    /// Why the last line was not written.
    fault: Option<LogFault>,
}

/// Why the log can't be written or read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LogFault {
    path: String,
    reason: String,
}

impl fmt::Display for LogFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LogFault { path, reason } = self;
        write!(
            f,
            "the log of interactions at {path} can't be used ({reason}); make it writable, or name another with --log"
        )
    }
}

impl std::error::Error for LogFault {}

impl LogFault {
    fn new(path: &Path, error: &io::Error) -> LogFault {
        LogFault { path: path.display().to_string(), reason: error.to_string() }
    }
}

/// The folder of the log where none is named: among the user's state, such as `~/.local/state/seealso/interactions`.
///
/// # Errors
/// A user without a home.
pub(crate) fn default_folder() -> anyhow::Result<PathBuf> {
    let base = etcetera::choose_base_strategy()
        .map_err(|error| anyhow::anyhow!("no folder for the log of interactions ({error}); name one with --log"))?;
    Ok(base.state_dir().unwrap_or_else(|| base.data_dir()).join(FOLDER).join(LOG_FOLDER))
}

/// The file of a day.
pub(super) fn day_path(folder: &Path, day: &str) -> PathBuf {
    folder.join(format!("{day}.jsonl"))
}

impl InteractionLog {
    /// The log in `folder`, which is made where it is missing. A folder that can't be used is a fault that [`Self::fault`] tells.
    pub(crate) fn open(folder: &Path) -> InteractionLog {
        let log = InteractionLog { folder: folder.to_path_buf(), writer: Mutex::default() };
        // What can't be used is better known before the first question.
        let today = utc::today();
        let mut writer = log.writer();
        writer.fault = open_day(folder, &today).map(|file| writer.file = Some((today, file))).err();
        drop(writer);
        log
    }

    /// The folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Why the last line was not written, if it was not.
    pub(crate) fn fault(&self) -> Option<LogFault> {
        self.writer().fault.clone()
    }

    /// Adds a line. After a fault, the file is opened again at the next line.
    ///
    /// # Errors
    /// A file that can't be written.
    pub(crate) fn write(&self, record: &LogLine) -> Result<(), LogFault> {
        let day = utc::today();
        let mut writer = self.writer();
        let written = writer.write(&self.folder, &day, record);
        if written.is_err() {
            // What was written of the line stays, and the next one starts behind it.
            writer.file = None;
        }
        writer.fault = written.clone().err();
        written
    }

    /// The interaction of this id, which says on which day it was asked. One that was asked just before midnight is among the
    /// lines of the next day. Reads a whole day.
    ///
    /// # Errors
    /// A file that can't be read.
    pub(crate) fn find(&self, id: Uuid) -> Result<Option<InteractionLine>, LogFault> {
        let Some(time) = id.get_timestamp() else { return Ok(None) };
        let seconds = time.to_unix().0;
        for start in [seconds, seconds.saturating_add(DAY_SECONDS)] {
            let path = day_path(&self.folder, &utc::day_of(start));
            let found = find_interaction(&path, id).map_err(|error| LogFault::new(&path, &error))?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    fn writer(&self) -> MutexGuard<'_, Writer> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Writer {
    fn write(&mut self, folder: &Path, day: &str, record: &LogLine) -> Result<(), LogFault> {
        let path = day_path(folder, day);
        // A file may be deleted at any time; what is written to a deleted one is lost.
        if self.file.as_ref().is_none_or(|(opened, _)| opened != day) || !path.exists() {
            self.file = Some((day.to_owned(), open_day(folder, day)?));
        }
        let Some((_, file)) = &mut self.file else { return Ok(()) };
        let mut line = serde_json::to_vec(record).map_err(|error| LogFault::new(&path, &error.into()))?;
        line.push(b'\n');
        // In one piece, so that lines of two processes do not mix.
        file.write_all(&line).map_err(|error| LogFault::new(&path, &error))
    }
}

/// Opens a day's file for adding lines. The last line may be torn, where a process ended in it; the next starts on a line of its
/// own.
fn open_day(folder: &Path, day: &str) -> Result<File, LogFault> {
    let path = day_path(folder, day);
    let open = || -> io::Result<File> {
        make_folder(folder)?;
        let mut file = private(OpenOptions::new().read(true).append(true).create(true)).open(&path)?;
        if file.metadata()?.len() > 0 {
            let mut last = [0];
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
            if last != *b"\n" {
                file.write_all(b"\n")?;
            }
        }
        Ok(file)
    };
    open().map_err(|error| LogFault::new(&path, &error))
}

/// Makes the folder, for its owner alone: the log may hold questions.
fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use uuid::{NoContext, Timestamp};

    use super::*;
    use crate::interactions::read::read_lines;
    use crate::interactions::{Route, Verdict};

    /// A folder for one test, which is removed at its end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let folder = std::env::temp_dir().join(format!("seealso-log-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&folder);
            Folder(folder)
        }

        fn today(&self) -> PathBuf {
            day_path(&self.0, &utc::today())
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn interaction(id: Uuid) -> InteractionLine {
        InteractionLine {
            id,
            time: "2026-11-20T09:30:00Z".to_owned(),
            route: Route::Retrieve,
            asker: Some("ada".to_owned()),
            question: None,
            verdict: Verdict::Strong,
            code: None,
            matches: 1,
            entries: vec!["p/entries/a".to_owned()],
            ms: 1.5,
        }
    }

    #[test]
    fn what_is_written_is_found() {
        let folder = Folder::new("found");
        let log = InteractionLog::open(&folder.0);
        let (id, other) = (Uuid::now_v7(), Uuid::now_v7());
        log.write(&LogLine::Interaction(interaction(id))).unwrap();
        assert_eq!(log.find(id), Ok(Some(interaction(id))));
        assert_eq!(log.find(other), Ok(None));
        assert_eq!(log.find(Uuid::nil()), Ok(None));
        assert_eq!(log.fault(), None);
        let expected = format!(
            "{{\"kind\":\"interaction\",\"id\":\"{id}\",\"time\":\"2026-11-20T09:30:00Z\",\"route\":\"retrieve\",\
             \"asker\":\"ada\",\"verdict\":\"strong\",\"matches\":1,\"entries\":[\"p/entries/a\"],\"ms\":1.5}}\n"
        );
        assert_eq!(fs::read_to_string(folder.today()).unwrap(), expected);
    }

    #[test]
    fn what_was_asked_before_midnight_is_found_after_it() {
        let folder = Folder::new("midnight");
        let log = InteractionLog::open(&folder.0);
        let (now, _) = Uuid::now_v7().get_timestamp().unwrap().to_unix();
        for (days, is_found) in [(1, true), (2, false)] {
            let id = Uuid::new_v7(Timestamp::from_unix(NoContext, now - days * DAY_SECONDS, 0));
            log.write(&LogLine::Interaction(interaction(id))).unwrap();
            assert_eq!(log.find(id).unwrap().is_some(), is_found, "{days}");
        }
    }

    #[test]
    fn a_file_that_was_deleted_is_made_again() {
        let folder = Folder::new("deleted");
        let log = InteractionLog::open(&folder.0);
        let id = Uuid::now_v7();
        log.write(&LogLine::Interaction(interaction(Uuid::now_v7()))).unwrap();
        fs::remove_dir_all(&folder.0).unwrap();
        log.write(&LogLine::Interaction(interaction(id))).unwrap();
        assert_eq!(log.find(id), Ok(Some(interaction(id))));
    }

    #[test]
    fn a_torn_or_damaged_line_costs_itself_alone() {
        let folder = Folder::new("torn");
        fs::create_dir_all(&folder.0).unwrap();
        fs::write(folder.today(), b"\xff\xfe damaged\n{\"kind\":\"interaction\",\"id\":\"0").unwrap();
        let id = Uuid::now_v7();
        let log = InteractionLog::open(&folder.0);
        log.write(&LogLine::Interaction(interaction(id))).unwrap();
        assert_eq!(log.find(id), Ok(Some(interaction(id))));
        let day = read_lines(&folder.today()).unwrap();
        assert_eq!((day.records.len(), day.unreadable), (1, 2));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_a_fault_until_there_is_room() {
        let folder = Folder::new("full");
        fs::create_dir_all(&folder.0).unwrap();
        std::os::unix::fs::symlink("/dev/full", folder.today()).unwrap();
        let log = InteractionLog::open(&folder.0);
        let record = LogLine::Interaction(interaction(Uuid::now_v7()));
        let says = log.write(&record).unwrap_err().to_string();
        assert!(says.contains("No space left on device") && says.contains("--log"), "{says}");
        assert!(log.fault().is_some());
        fs::remove_file(folder.today()).unwrap();
        assert_eq!(log.write(&record), Ok(()));
        assert_eq!(log.fault(), None);
    }

    #[test]
    fn a_folder_that_is_a_file_is_a_fault() {
        let folder = Folder::new("file");
        fs::write(&folder.0, "no folder").unwrap();
        let log = InteractionLog::open(&folder.0);
        assert!(log.fault().is_some());
        assert!(log.write(&LogLine::Interaction(interaction(Uuid::now_v7()))).is_err());
        fs::remove_file(&folder.0).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn the_log_is_its_owners_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = Folder::new("owner");
        InteractionLog::open(&folder.0);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&folder.0), mode(&folder.today())), (0o700, 0o600));
    }
}
