//! Words that are left out, in alphabetical order.

/// English words that hold sentences together.
#[rustfmt::skip]
pub(super) const STOP_WORDS: [&str; 203] = [
    "a", "about", "above", "across", "after", "again", "against", "all", "almost", "also", "although", "always", "am",
    "among", "an", "and", "another", "any", "anybody", "anyone", "anything", "are", "around", "as", "at", "away", "be",
    "because", "been", "before", "being", "below", "beneath", "beside", "besides", "between", "beyond", "both", "but",
    "by", "can", "cannot", "could", "did", "do", "does", "doing", "down", "during", "each", "either", "else", "enough",
    "even", "ever", "every", "everything", "few", "for", "from", "further", "had", "has", "have", "having", "he",
    "hence", "her", "here", "hers", "herself", "him", "himself", "his", "how", "however", "i", "if", "in", "indeed",
    "instead", "into", "is", "it", "its", "itself", "just", "many", "may", "me", "might", "mine", "more", "moreover",
    "most", "much", "must", "my", "myself", "neither", "never", "no", "nobody", "none", "nor", "not", "nothing", "now",
    "of", "off", "often", "on", "once", "only", "onto", "or", "other", "others", "otherwise", "ought", "our", "ours",
    "ourselves", "out", "over", "own", "per", "perhaps", "quite", "rather", "same", "shall", "she", "should", "since",
    "so", "some", "somebody", "someone", "something", "still", "such", "than", "that", "the", "their", "theirs",
    "them", "themselves", "then", "there", "thereby", "therefore", "these", "they", "this", "those", "though",
    "through", "throughout", "thus", "to", "together", "too", "toward", "towards", "under", "unless", "until", "up",
    "upon", "us", "very", "via", "was", "we", "were", "what", "whatever", "when", "whenever", "where", "whereas",
    "wherever", "whether", "which", "while", "who", "whoever", "whom", "whose", "why", "will", "with", "within",
    "without", "would", "yet", "you", "your", "yours", "yourself", "yourselves",
];

/// Keywords of C and C++.
#[rustfmt::skip]
pub(super) const KEYWORDS: [&str; 80] = [
    "alignas", "alignof", "asm", "auto", "bool", "break", "case", "catch", "char", "char16_t", "char32_t", "char8_t",
    "class", "concept", "const", "const_cast", "consteval", "constexpr", "constinit", "continue", "decltype",
    "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false",
    "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new", "noexcept",
    "nullptr", "operator", "private", "protected", "public", "register", "reinterpret_cast", "requires", "restrict",
    "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch", "template",
    "this", "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "typeof", "union", "unsigned",
    "using", "virtual", "void", "volatile", "wchar_t", "while",
];
