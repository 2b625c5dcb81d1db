//! A look at the structure of NBT data before it is deserialized.
//!
//! `fastnbt` takes the data's word for some things: what nobody asked for is passed over by recursion as deep as the data
//! says, which can leave the stack, and a list that announces entries without a kind ends in a panic. Both are
//! found here first, in one pass that skips arrays and copies nothing. After it, what deserializing costs is bounded by
//! the data's length.

/// Lists and compounds inside each other; Minecraft itself refuses more.
const DEEPEST: usize = 512;

const END: u8 = 0;
const LIST: u8 = 9;
const COMPOUND: u8 = 10;

/// Looks at the whole of `data`, which must begin with a named compound.
///
/// # Errors
/// The byte where it stops being NBT, and why.
pub(in crate::exchange) fn check(data: &[u8]) -> Result<(), (usize, String)> {
    let mut walk = Walk { data, at: 0 };
    walk.root().map_err(|reason| (walk.at, reason))
}

struct Walk<'a> {
    data: &'a [u8],
    at: usize,
}

impl Walk<'_> {
    fn root(&mut self) -> Result<(), String> {
        match self.byte()? {
            COMPOUND => {}
            tag => return Err(format!("it begins with a tag {tag}, not with a compound")),
        }
        self.name()?;
        self.value(COMPOUND, 0)
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let bytes = self.data.get(self.at..).and_then(|rest| rest.first_chunk()).ok_or_else(cut_off)?;
        self.at += N;
        Ok(*bytes)
    }

    fn byte(&mut self) -> Result<u8, String> {
        self.take().map(|[byte]| byte)
    }

    fn length(&mut self) -> Result<usize, String> {
        let length = i32::from_be_bytes(self.take()?);
        usize::try_from(length).map_err(|_| format!("a length is {length}"))
    }

    fn skip(&mut self, bytes: usize) -> Result<(), String> {
        if bytes > self.data.len() - self.at {
            return Err(cut_off());
        }
        self.at += bytes;
        Ok(())
    }

    fn name(&mut self) -> Result<(), String> {
        let length = u16::from_be_bytes(self.take()?);
        self.skip(usize::from(length))
    }

    fn array(&mut self, size: usize) -> Result<(), String> {
        let length = self.length()?;
        self.skip(length.checked_mul(size).ok_or_else(cut_off)?)
    }

    /// One value of this kind. Recursion ends at [`DEEPEST`].
    fn value(&mut self, tag: u8, depth: usize) -> Result<(), String> {
        if depth > DEEPEST {
            return Err(format!("more than {DEEPEST} lists and compounds are inside each other"));
        }
        match tag {
            1 => self.skip(1),
            2 => self.skip(2),
            3 | 5 => self.skip(4),
            4 | 6 => self.skip(8),
            7 => self.array(1),
            8 => self.name(),
            LIST => {
                let tag = self.byte()?;
                // Some writers say -1 for none. In what is passed over that does no harm; a list that is read may not be so,
                // and `fastnbt` says it.
                let length = i32::from_be_bytes(self.take()?);
                if tag == END && length > 0 {
                    return Err(format!("a list has {length} entries of no kind"));
                }
                (0..length).try_for_each(|_| self.value(tag, depth + 1))
            }
            COMPOUND => loop {
                match self.byte()? {
                    END => return Ok(()),
                    tag => {
                        self.name()?;
                        self.value(tag, depth + 1)?;
                    }
                }
            },
            11 => self.array(4),
            12 => self.array(8),
            _ => Err(format!("a value has the unknown tag {tag}")),
        }
    }
}

fn cut_off() -> String {
    "the data is cut off".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A compound with one entry `a` of this tag and content.
    fn with(tag: u8, content: &[u8]) -> Vec<u8> {
        [&[10, 0, 0, tag, 0, 1, b'a'][..], content, &[0]].concat()
    }

    #[test]
    fn what_fastnbt_writes_is_sound() {
        let value = fastnbt::nbt!({
            "b": 1i8, "s": 2i16, "i": 3, "l": 4i64, "f": 1.5f32, "d": 2.5, "text": "abc", "list": [1, 2], "none": [],
            "deep": [[{"x": 1}], [{}]], "bytes": [B; 1, 2], "ints": [I; 1], "longs": [L; 1, 2, 3],
        });
        let data = fastnbt::to_bytes(&value).unwrap();
        assert_eq!(check(&data), Ok(()));
        for length in 0..data.len() {
            let (at, reason) = check(&data[..length]).unwrap_err();
            assert!(at <= length && reason == "the data is cut off", "{length}: {reason}");
        }
    }

    #[test]
    fn what_would_hurt_is_refused() {
        let list = |tag: u8, length: i32| [&[tag][..], &length.to_be_bytes()].concat();
        assert_eq!(check(&with(9, &list(0, 0))), Ok(()));
        assert_eq!(check(&with(9, &list(3, -1))), Ok(()));
        assert_eq!(check(&with(9, &list(0, 1))).unwrap_err().1, "a list has 1 entries of no kind");
        assert_eq!(check(&with(13, &[])).unwrap_err(), (7, "a value has the unknown tag 13".to_owned()));
        assert_eq!(check(&with(9, &list(10, i32::MAX))).unwrap_err().1, "the data is cut off");
        assert_eq!(check(&with(12, &i32::MAX.to_be_bytes())).unwrap_err().1, "the data is cut off");
        assert_eq!(check(&with(7, &(-2i32).to_be_bytes())).unwrap_err().1, "a length is -2");
        assert_eq!(check(&[1, 0, 0]).unwrap_err().1, "it begins with a tag 1, not with a compound");
        let nested = |depth: usize| with(9, &[list(9, 1).repeat(depth), list(0, 0)].concat());
        assert_eq!(check(&nested(DEEPEST - 1)), Ok(()));
        let reason = check(&nested(1_000_000)).unwrap_err().1;
        assert_eq!(reason, "more than 512 lists and compounds are inside each other");
    }
}
