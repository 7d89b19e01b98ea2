// A websocket of text messages to one address.
import { WebSocket } from 'undici';
import type { Dial } from './transport.ts';

/** `origin` is the http or https origin of the exchange, which the HTTP transport has checked; `path` begins with a slash. */
export const socketTo = ({ origin, path }: { origin: string; path: string }): Dial => {
  const url = new URL(path, origin);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return ({ opened, message, closed }) => {
    const socket = new WebSocket(url);
    let reason = 'the socket was closed';
    socket.addEventListener('open', opened);
    socket.addEventListener('message', ({ data }) => {
      if (typeof data === 'string') message(data);
    });
    socket.addEventListener('error', (event) => {
      reason = event.message;
    });
    socket.addEventListener('close', () => closed(reason));
    return { send: (text) => socket.send(text), close: () => socket.close() };
  };
};

/** Opens sockets at any path of one origin. */
export const dialAt =
  (origin: string) =>
  (path: string): Dial =>
    socketTo({ origin, path });
