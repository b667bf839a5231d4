//! An input that is given by its values, as the harness reads it: see `runtime/given.c`.

/// A place in what an input is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spot {
    pub(crate) kind: Kind,
    pub(crate) number: u64,
    pub(crate) offset: u64,
}

/// What a place is in. The order is that of `runtime/given.c`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Object = 0,
    Argument = 1,
    Global = 2,
    Stub = 3,
    Stream = 4,
    Function = 5,
}

impl Spot {
    pub(crate) fn start(kind: Kind, number: u64) -> Self {
        Self { kind, number, offset: 0 }
    }

    pub(crate) fn at(self, offset: u64) -> Self {
        Self { offset: self.offset + offset, ..self }
    }
}

/// Something that is done at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Bytes are put there.
    Put(Vec<u8>),
    /// The address of another place is.
    Point(Spot),
    /// An object is made there: by which maker, with which of its constructors, from which objects.
    Make { maker: u64, constructor: u64, taken: Vec<u64> },
    /// One or two objects are put into the container there.
    Add { maker: u64, first: u64, second: Option<u64> },
}

/// An object: its size, its type, and whether it is the room of a string or vector.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Object {
    pub(crate) size: u64,
    pub(crate) type_: Option<u64>,
    pub(crate) is_storage: bool,
}

/// What a function that is handed in answers to one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) value: Target,
    /// What is written where its arguments point: the position of each, and the bytes.
    pub(crate) writes: Vec<(u64, Vec<u8>)>,
}

/// What a pointer or a number is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Bits(u64),
    Place(Spot),
}

/// An input.
#[derive(Debug, Clone, Default)]
pub(crate) struct Given {
    pub(crate) objects: Vec<Object>,
    pub(crate) steps: Vec<(Spot, Step)>,
    /// The types of functions that are handed in, with what they answer.
    pub(crate) answers: Vec<(u64, Vec<Answer>)>,
    pub(crate) streams: Vec<Vec<u8>>,
    pub(crate) variables: Vec<(Vec<u8>, Vec<u8>)>,
    pub(crate) missing: Vec<u64>,
    /// How many bytes are read or written, and which.
    pub(crate) moves: Vec<(i64, Vec<u8>)>,
    pub(crate) files: Vec<(Vec<u8>, Vec<u8>)>,
    pub(crate) standard_input: Vec<u8>,
    pub(crate) calls: u64,
}

/// Words whose places in the plan are known.
struct Pool {
    at: u64,
    words: Vec<u64>,
}

impl Pool {
    /// Adds words; says where they are.
    fn put(&mut self, words: &[u64]) -> u64 {
        let at = self.at + self.words.len() as u64;
        self.words.extend(words);
        at
    }

    /// Adds bytes behind their number, and a zero behind them.
    fn bytes(&mut self, bytes: &[u8]) -> u64 {
        let at = self.put(&[bytes.len() as u64]);
        let terminated: Vec<u8> = bytes.iter().copied().chain([0]).collect();
        let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        let words: Vec<u64> = terminated.chunks(8).map(word).collect();
        self.put(&words);
        at
    }

    fn pairs(&mut self, pairs: &[(Vec<u8>, Vec<u8>)]) -> u64 {
        let places: Vec<u64> = pairs.iter().flat_map(|(one, other)| [self.bytes(one), self.bytes(other)]).collect();
        self.put(&places)
    }

    fn step(&mut self, spot: Spot, step: &Step) -> [u64; 8] {
        let (what, rest) = match step {
            Step::Put(bytes) => (0, [self.bytes(bytes) + 1, bytes.len() as u64, 0, 0]),
            Step::Point(to) => (1, [to.kind as u64, to.number, to.offset, 0]),
            Step::Make { maker, constructor, taken } => {
                let taken: Vec<u64> = [taken.len() as u64].into_iter().chain(taken.iter().copied()).collect();
                (2, [*maker, *constructor, self.put(&taken), 0])
            }
            Step::Add { maker, first, second } => (3, [*maker, *first, second.map_or(0, |second| second + 1), 0]),
        };
        let [a, b, c, d] = rest;
        [what, spot.kind as u64, spot.number, spot.offset, a, b, c, d]
    }

    fn answer(&mut self, answer: &Answer) -> [u64; 6] {
        let writes: Vec<u64> = answer
            .writes
            .iter()
            .flat_map(|(position, bytes)| [*position, self.bytes(bytes) + 1, bytes.len() as u64])
            .collect();
        let writes_at = self.put(&writes);
        let (is_pointer, kind, number, value) = match answer.value {
            Target::Bits(bits) => (0, 0, 0, bits),
            Target::Place(spot) => (1, spot.kind as u64, spot.number, spot.offset),
        };
        [is_pointer, kind, number, value, answer.writes.len() as u64, writes_at]
    }
}

impl Given {
    /// The words, as they stand from a place in the plan on.
    pub(crate) fn words(&self, at: u64) -> Vec<u64> {
        const HEADER: usize = 18;
        let mut pool = Pool { at, words: vec![0; HEADER] };
        let objects: Vec<u64> = self
            .objects
            .iter()
            .flat_map(|object| [object.size, object.type_.map_or(0, |type_| type_ + 1), u64::from(object.is_storage)])
            .collect();
        let objects_at = pool.put(&objects);
        let steps: Vec<u64> = self.steps.iter().flat_map(|(spot, step)| pool.step(*spot, step)).collect();
        let steps_at = pool.put(&steps);
        let mut answers = Vec::new();
        for (type_, each) in &self.answers {
            let words: Vec<u64> = each.iter().flat_map(|answer| pool.answer(answer)).collect();
            answers.extend([*type_, each.len() as u64, pool.put(&words)]);
        }
        let answers_at = pool.put(&answers);
        let streams: Vec<u64> = self.streams.iter().map(|content| pool.bytes(content)).collect();
        let streams_at = pool.put(&streams);
        let variables_at = pool.pairs(&self.variables);
        let missing_at = pool.put(&self.missing);
        let moves: Vec<u64> = self.moves.iter().flat_map(|(count, bytes)| [*count as u64, pool.bytes(bytes)]).collect();
        let moves_at = pool.put(&moves);
        let files_at = pool.pairs(&self.files);
        let input_at = pool.bytes(&self.standard_input);
        let count = |length: usize| length as u64;
        let header = [
            count(self.objects.len()),
            objects_at,
            count(self.steps.len()),
            steps_at,
            count(self.answers.len()),
            answers_at,
            count(self.streams.len()),
            streams_at,
            count(self.variables.len()),
            variables_at,
            count(self.missing.len()),
            missing_at,
            count(self.moves.len()),
            moves_at,
            count(self.files.len()),
            files_at,
            input_at,
            self.calls,
        ];
        pool.words[..HEADER].copy_from_slice(&header);
        pool.words
    }
}
