#include <memory>
#include <string>
#include <utility>
#include <vector>

struct Message {
    std::string text;
    int priority;
};

class Outbox {
public:
    int send(std::unique_ptr<Message> message)
    {
        waiting_.push_back(std::move(message));
        return static_cast<int>(waiting_.size());
    }

private:
    std::vector<std::unique_ptr<Message>> waiting_;
};

// Puts a text into an empty outbox; its place plus its priority, or 0 if it is not sent.
int deliver(const std::string &text, int priority)
{
    Outbox outbox;
    std::unique_ptr<Message> owner;
    Message *message;
    int sent;

    if (text.empty() || priority < 0 || priority > 9)
        return 0;
    owner.reset(new Message{text, priority});
    sent = outbox.send(std::move(owner));
    message = owner.get();
    return sent + message->priority;
}
