#pragma once

#include "server/server_context.h"

#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>

namespace heddle {

/// Accepts the upgrade request and serves /live on this connection until it ends; keeps itself alive.
void start_live_session(boost::beast::tcp_stream stream,
                        boost::beast::http::request<boost::beast::http::empty_body> request,
                        ServerContext& context);

}  // namespace heddle
