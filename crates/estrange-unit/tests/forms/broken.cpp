struct known { int a; };
unknown_type of_unknown_type(int x) { return x; } // form: of_unknown_type
UNKNOWN_MACRO int after_unknown_word(int x) { return x; } // form: after_unknown_word
int known::undeclared_member(int x) { return x; } // form: undeclared_member
int nowhere::in_unknown_space(int x) { return x; } // form: in_unknown_space
template <typename T> int unknown_template<T>::of_unknown_template(T t) { return t; } // form: of_unknown_template
int twice_defined(int x) { return x; } // form: twice_defined
int twice_defined(int x) { return x; } // form: twice_defined
class broken_class : unknown_base { int in_broken_class() { return 1; } }; // form: in_broken_class
int broken_body(int x) { return undeclared + ; } // form: broken_body
int fine_again(int x) { return x; } // form: fine_again
