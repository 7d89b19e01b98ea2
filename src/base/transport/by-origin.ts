// HTTP transports to several origins, each made when it is first needed.
import { httpTransport } from './http.ts';
import type { Transport } from './transport.ts';

export interface TransportsByOrigin {
  /** Throws a UserError `origin` as `httpTransport` does. */
  to(this: void, origin: string): Transport;
  /** Closes all of them. */
  close(this: void): Promise<void>;
}

/** `connections`: to each origin. */
export function transportsByOrigin(connections: number): TransportsByOrigin {
  const made = new Map<string, Transport>();
  return {
    to(origin) {
      const transport = made.get(origin) ?? httpTransport({ origin, connections });
      made.set(origin, transport);
      return transport;
    },
    async close() {
      await Promise.all([...made.values()].map((transport) => transport.close()));
    },
  };
}
