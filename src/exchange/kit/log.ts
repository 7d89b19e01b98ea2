// The port for messages about what an adapter does; a pino logger fits it.

export interface Log {
  info(message: string): void;
  warn(message: string): void;
}
