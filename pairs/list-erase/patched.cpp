#include <cstddef>
#include <list>

struct Session {
    int id;
    long deadline;
};

// Removes sessions whose deadline is over; how many are left.
std::size_t expire_sessions(std::list<Session> &sessions, long now)
{
    std::list<Session>::iterator session = sessions.begin();

    while (session != sessions.end()) {
        if (session->deadline <= now)
            session = sessions.erase(session);
        else
            ++session;
    }
    return sessions.size();
}
