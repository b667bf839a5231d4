export module shapes:part;
export int part(int x) { return x + 10; } // form: part
int inside_part(int x) { return x + 11; } // form: inside_part
