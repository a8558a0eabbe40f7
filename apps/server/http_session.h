#pragma once

#include "server/server_context.h"

#include <boost/asio/ip/tcp.hpp>

namespace heddle {

/// Answers the requests of one connection until it ends or becomes a WebSocket; keeps itself alive.
void start_http_session(boost::asio::ip::tcp::socket socket, ServerContext& context);

}  // namespace heddle
