module shapes;
int implemented(int x) { return x * 5; } // form: implemented
