#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

struct Server {
    int id;
    bool alive;
};

// The server that a key belongs to among those that are alive; -1 for none.
int choose_server(const std::vector<Server> &servers, const std::string &key)
{
    std::vector<int> alive;
    std::uint32_t hash = 2166136261u;

    if (servers.empty() || key.empty())
        return -1;
    for (const Server &server : servers) {
        if (server.alive)
            alive.push_back(server.id);
    }
    for (char c : key) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 16777619u;
    }
    std::size_t slot = hash % alive.size();
    return alive[slot];
}
