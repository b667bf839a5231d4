//! How long an array is, in terms of other parameters: `count`, `rows * columns`, `2 * count + 1`, `*size`, `return`.

/// How long something is: a sum of products.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Length {
    sum: Vec<Vec<Factor>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Factor {
    Number(u64),
    Parameter(usize),
    /// What a pointer leads to, once the function has returned.
    Pointee(usize),
    Result,
}

/// What a length is computed from; nothing where that is not known.
pub(crate) trait Known {
    /// The value of a parameter, or what it points to.
    fn parameter(&self, number: usize) -> Option<u64>;
    /// What the function returned.
    fn result(&self) -> Option<u64>;
}

impl Length {
    /// Reads a length, with the names of the parameters.
    pub(crate) fn read(text: &str, parameters: &[String]) -> Result<Self, String> {
        let factor = |word: &str| {
            let named = |name: &str| parameters.iter().position(|parameter| parameter == name);
            let unknown = || format!("`{word}` in the length `{text}` is no parameter");
            match (word, word.strip_prefix('*')) {
                ("return", _) => Ok(Factor::Result),
                (_, Some(name)) => named(name.trim()).map(Factor::Pointee).ok_or_else(unknown),
                (_, None) => match word.parse() {
                    Ok(number) => Ok(Factor::Number(number)),
                    Err(_) => named(word).map(Factor::Parameter).ok_or_else(unknown),
                },
            }
        };
        let product = |term: &str| -> Result<Vec<Factor>, String> {
            let term = term.trim();
            match term.starts_with('*') {
                true => Ok(vec![factor(term)?]),
                false => term.split('*').map(|word| factor(word.trim())).collect(),
            }
        };
        Ok(Self { sum: text.split('+').map(product).collect::<Result<_, _>>()? })
    }

    /// The one parameter that it is, if it is nothing but that.
    pub(crate) fn parameter(&self) -> Option<usize> {
        match self.sum.as_slice() {
            [product] => match product.as_slice() {
                [Factor::Parameter(number)] => Some(*number),
                _ => None,
            },
            _ => None,
        }
    }

    /// What it comes to.
    pub(crate) fn value(&self, known: &impl Known) -> Option<u64> {
        let factor = |factor: &Factor| match *factor {
            Factor::Number(number) => Some(number),
            Factor::Parameter(number) | Factor::Pointee(number) => known.parameter(number),
            Factor::Result => known.result(),
        };
        let product =
            |all: &Vec<Factor>| all.iter().try_fold(1_u64, |product, each| product.checked_mul(factor(each)?));
        self.sum.iter().try_fold(0_u64, |sum, all| sum.checked_add(product(all)?))
    }

    /// It as an expression of C, where the parameter of number 2 is `a2` and the result `r`.
    pub(crate) fn expression(&self) -> String {
        let factor = |factor: &Factor| match factor {
            Factor::Number(number) => format!("{number}ull"),
            Factor::Parameter(number) => format!("(unsigned long long)a{number}"),
            Factor::Pointee(number) => format!("(unsigned long long)*a{number}"),
            Factor::Result => "(unsigned long long)r".to_owned(),
        };
        let product = |all: &Vec<Factor>| all.iter().map(factor).collect::<Vec<_>>().join(" * ");
        self.sum.iter().map(product).collect::<Vec<_>>().join(" + ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Two;

    impl Known for Two {
        fn parameter(&self, number: usize) -> Option<u64> {
            [3, 4].get(number).copied()
        }

        fn result(&self) -> Option<u64> {
            None
        }
    }

    #[test]
    fn lengths_are_sums_of_products() {
        let names = ["rows", "columns"].map(str::to_owned);
        let read = |text| Length::read(text, &names).unwrap();
        assert_eq!(read("rows * columns + 1").value(&Two), Some(13));
        assert_eq!(read("*columns").value(&Two), Some(4));
        assert_eq!(read("return").value(&Two), None);
        assert_eq!(read("2 * rows + 1").expression(), "2ull * (unsigned long long)a0 + 1ull");
        assert_eq!((read("rows").parameter(), read("rows+1").parameter()), (Some(0), None));
        assert!(Length::read("height", &names).is_err() && Length::read("", &names).is_err());
    }
}
