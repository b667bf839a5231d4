//! Words that functions are called by and that people use for what functions do.

/// In the order of the alphabet. A word that is missing here is taken for a name, which costs a description that has it;
/// one that should not be here lets a name through. So it has verbs and nouns that anybody would use, and no more.
const WORDS: &str = "\
    abort accept access acquire activate add address adjust advance align all allocate allocator allow an analyze \
    and angle annotate answer any append apply area arrange array as ask assemble assert assign at attach average \
    back backup balance base batch be beep begin bind bit bits blend block blur body bottom bounce bounds box \
    branch break buffer build bump burn by byte bytes cache calculate calibrate call cancel capacity capture cast \
    catch category center chain change channel character charge check child children choose clamp class clean \
    cleanup clear clip clock clone close code collapse collect color column combine command commit compact compare \
    compile complete compose compress compute concatenate condition configure confirm connect construct consult \
    consume contain contains content context contract control convert copy correct count cover crash create credit \
    crop cross current cursor cut cycle data date day deal debug decide declare decode decompress decrease \
    decrement decrypt deduce default define degree delay delete deploy depth dequeue derive describe deserialize \
    design destination destroy detach detect determine difference dig digest digit dim direct direction dirty \
    disable discard disconnect dispatch display distance dive divide done double down drain draw dress drive drop \
    dry dump duplicate duration each edge edit eject elapse elect element embed emit empty enable enclose encode \
    encounter encrypt end enforce engage enqueue ensure enter entry enumerate envelope equal equals erase error \
    escape establish estimate evaluate even event examine exchange exclude exclusive execute exists exit expand \
    expect explain explode explore export expose express extend extract fade fail feed fetch field file fill \
    filter final find finish fire first fit fix flag flags flatten flip flow flush focus fold follow for force \
    forget fork format forward fraction frame free freeze from front full function gather generate get give go \
    grab group grow guard guess guide halt handle handler hang has hash head header heap height help hide hint \
    hold host hour identify identity if ignore illuminate image implement import in increase increment index \
    inherit initialize inject inline inner input insert insertion inspect install instance integer interpolate \
    interpret interrupt intersect intersection interval into introduce inverse invert invoke is isolate issue item \
    items iterate join jump keep key keys kick kill kind knock label last launch layout leave left length less \
    level lift light limit limits line link list listen live load local locate lock log lookup loop lower \
    magnitude main make manage mangle manipulate map mark mask match matrix maximum mean measure median member \
    mention merge message meter method middle minimum minus minute mirror mix mode modify month mount move \
    multiply mutate mute name names navigate negate negative neighbor nest network next node norm normalize not \
    nothing notify null number object obtain odd of offset on open operate operation optimize option options or \
    order organize origin other outer output overlaps own pack pad page paint pair parent park parse part \
    partition pass paste patch path pause peek perform permute pick pin pipe pivot pixel place plan play plot plus \
    point pointer poll pool pop populate port position positive post power precede precision predict prefix \
    prepare prepend present preserve press previous print probe proceed process produce product profile program \
    project promise propagate protect prove provide publish pull purge purpose push put quantize query queue quit \
    quote raise random range rank rate ratio reach react read ready reallocate rebuild recall receive record \
    recover recurse redirect redo redraw reduce reference refill refine refresh register reject relax release \
    reload remainder remember remind remote remove rename render reopen reorder repair repeat replace reply report \
    represent reproduce request require rescue reserve reset resize resolve restart restore restrict result resume \
    retain retrieve retry return reuse reveal reverse review revise rewind right roll root rotate round routine \
    row run sample save scale scan scatter schedule score scroll seal search second secure seed seek segment \
    select send separate sequence serialize serve session set settle setup shape share shell shift shorten show \
    shrink shuffle shut shutdown sign signal simplify simulate size skew skip sleep slice smooth snap solve sort \
    source space spawn speed spend spin split spread square stack stage stamp start stash state status stay steal \
    steer step stop store stream stretch string strip submit subset substitute subtract succeed suffix suggest sum \
    summarize supply support suspend swap sweep switch symbol sync synchronize table tag tail take target task \
    tell terminate test text than the then this thread throw tick tie tile time to toggle token tokenize top total \
    touch trace track train transfer transform translate trap traverse tree trigger trim truncate try tune turn \
    twist type undo unescape uninstall union unique unit unload unlock unmap unpack unregister unwind unwrap up \
    update upload upper use user valid validate value values vector verify version view visit vote wait wake walk \
    warn warning wash watch weight width wipe with word words work worker world wrap write year yield zero zip";

/// Whether a word, in small letters, is one that anybody would use.
pub fn is_ordinary(word: &str) -> bool {
    word.chars().count() < 3 || WORDS.split(' ').any(|each| each == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_in_order() {
        assert!(WORDS.split(' ').is_sorted_by(|left, right| left < right));
        assert!(is_ordinary("insert") && is_ordinary("at") && !is_ordinary("gzclose") && !is_ordinary("inflate"));
    }
}
