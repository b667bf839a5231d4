const char *licence_text(int which)
{
    static const char full[] =
        "Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated "
        "documentation files (the Software), to deal in the Software without restriction, including without limitation "
        "the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software";
    if (which < 0)
        return 0;
    return which == 0 ? "" : full;
}
