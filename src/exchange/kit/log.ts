// Where the client tells a person what it does; a pino logger is one.

export interface Log {
  info(message: string): void;
  warn(message: string): void;
}
