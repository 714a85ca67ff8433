"""English words cut into morphemes, the smallest parts that carry meaning.

The words stand in the documentation of Python's standard library. They are cut by hand at the
borders of stem, prefix and ending. Only words are here whose spelling leaves the parts as they
are: `read·able`, but not `arguing`, which has lost the e of argue.
"""

WORDS = """
un·known un·used un·able re·place re·load re·start dis·able non·zero pre·fix sub·class sub·set
super·class over·ride out·put in·put key·word time·out file·name data·base white·space
new·line back·ground read·able read·er read·ing print·able help·ful help·er use·ful
end·less return·ed return·ing return·s build·er build·ing build·s wait·ing start·ed start·ing
accept·ed accept·able expect·ed expect·ing pass·ed pass·ing test·er test·ed test·ing
connect·ion connect·ed select·ion select·or direct·ion direct·ory collect·ion option·al
addition·al exact·ly direct·ly quick·ly un·expect·ed un·read·able re·start·ed dis·connect·ed
sub·class·ing
"""
MORPHEMES = tuple(tuple(word.split("·")) for word in WORDS.split())


def borders(morphemes: tuple[str, ...]) -> set[int]:
    """After how many letters of the word a morpheme ends, its own end left out."""
    places, letters = set(), 0
    for part in morphemes[:-1]:
        letters += len(part)
        places.add(letters)
    return places
