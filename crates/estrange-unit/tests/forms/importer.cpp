import shapes;
int uses_import(int x) { return x * 2; } // form: uses_import
int uses_imported(int x) { return area(x, x); } // form: uses_imported
