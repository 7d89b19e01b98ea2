// The log interface of an adapter; a pino logger implements it.

export interface Log {
  info(message: string): void;
  warn(message: string): void;
}
