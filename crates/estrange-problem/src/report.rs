//! What the program that runs answers tells of each case, as bytes.

/// How long the word is that only who got to the end can say.
pub(crate) const TOKEN: usize = 16;

/// What was told of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Told {
    /// Its number.
    pub case: usize,
    /// How its process ended.
    pub how: How,
    /// What it said when it had got to the end; nothing if it did not.
    pub end: Option<Reached>,
    /// The last that it wrote to standard error.
    pub said: String,
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// By itself, with this code.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
    /// It was ended, since it took too long.
    TimedOut,
    /// It was ended, since it told too much.
    OverOutput,
}

/// What a process said when it had got to the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reached {
    /// The function returned, and this is what was seen.
    Returned(Vec<u8>),
    /// It threw; what the exception says.
    Threw(String),
    /// The answer could not be loaded; why.
    NotLoaded(String),
}

/// Everything that was told whole, and whether that was all.
pub(crate) fn read(bytes: &[u8], token: &[u8; TOKEN]) -> (Vec<Told>, bool) {
    let (mut rest, mut told) = (bytes, Vec::new());
    while let Some((head, more)) = rest.split_at_checked(48) {
        let number = |at: usize| {
            let mut number = [0; 8];
            number.copy_from_slice(&head[8 * at..8 * at + 8]);
            u64::from_le_bytes(number)
        };
        if number(0) == u64::MAX {
            return (told, true);
        }
        let sizes = usize::try_from(number(4)).ok().zip(usize::try_from(number(5)).ok());
        let Some((result, said)) = sizes else { break };
        let Some((result, more)) = more.split_at_checked(result) else { break };
        let Some((said, more)) = more.split_at_checked(said) else { break };
        rest = more;
        let status = number(2) as i32;
        told.push(Told {
            case: number(0) as usize,
            how: match number(1) {
                1 => How::TimedOut,
                2 => How::OverOutput,
                // As the system tells it: a signal in the lowest bits, else the code above them.
                _ if status & 0x7f != 0 => How::Signalled(status & 0x7f),
                _ => How::Exited(status >> 8 & 0xff),
            },
            end: reached(result, token),
            said: String::from_utf8_lossy(said).into_owned(),
        });
    }
    (told, false)
}

fn reached(result: &[u8], token: &[u8; TOKEN]) -> Option<Reached> {
    let (how, what) = result.strip_prefix(token)?.split_first()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match how {
        b'R' => Some(Reached::Returned(what.to_vec())),
        // What it says comes as a text: whether there is one, its length, and itself.
        b'T' => Some(Reached::Threw(text(what.get(9..).unwrap_or_default()))),
        b'L' => Some(Reached::NotLoaded(text(what))),
        _ => None,
    }
}
