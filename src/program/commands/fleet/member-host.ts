// The view of the process for one run of a fleet: output lines get the run's name, and the fleet passes on signals and errors.
import { Writable } from 'node:stream';
import type { Host, Output } from '../../host.ts';

type Signal = Parameters<Parameters<Host['onSignal']>[0]>[0];

export interface MemberHost extends Host {
  /** Resolves when the run calls `exitNow`. */
  readonly left: Promise<void>;
  signal(signal: Signal): void;
  /** Passes on an uncaught error, as soon as the run has added its listener. */
  uncaught(thrown: unknown): void;
  /** Call it when the output was closed. */
  closed(error: Error): void;
}

export function memberHost(name: string, host: Host): MemberHost {
  const { stdin, venues, self, pid } = host;
  const { NOTIFY_SOCKET: _, ...env } = host.env; // the fleet notifies systemd for all runs
  const stdout = linesOf(name, host.stdout);
  const signals: ((signal: Signal) => void)[] = [];
  const listeners: ((thrown: unknown) => void)[] = [];
  const early: unknown[] = []; // errors from before the run has added its listener
  let leave: (() => void) | undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  return {
    stdin,
    stdout,
    stderr: linesOf(name, host.stderr),
    env,
    venues,
    self,
    pid,
    left,
    isRunning: (other) => host.isRunning(other),
    askToEnd: (other) => host.askToEnd(other),
    onExit: (listener) => host.onExit(listener),
    onSignal: (listener) => void signals.push(listener),
    onUncaught(listener) {
      listeners.push(listener);
      for (const thrown of early.splice(0)) listener(thrown);
    },
    exitNow: () => leave?.(), // does not end the process, because other runs may still be stopping
    signal(signal) {
      for (const listener of signals) listener(signal);
    },
    uncaught(thrown) {
      if (listeners.length === 0) early.push(thrown);
      for (const listener of listeners) listener(thrown);
    },
    closed: (error) => void stdout.emit('error', error),
  };
}

/**
 * Returns an output that writes complete lines: JSON lines get the field `member`, others the name as prefix. Each line waits for the previous one.
 */
function linesOf(name: string, output: Output): Output {
  let rest = '';
  const member = JSON.stringify(name);
  const marked = (line: string): string => {
    if (line.startsWith('{"')) return `{"member":${member},${line.slice(1)}\n`;
    return line === '' ? '\n' : `[${name}] ${line}\n`;
  };
  const lines = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _, done) {
      const parts = `${rest}${String(chunk)}`.split('\n');
      rest = parts.pop() ?? '';
      if (parts.length === 0) done();
      else output.write(parts.map(marked).join(''), () => done());
    },
  });
  return lines.on('error', () => undefined); // the fleet reports a closed output once
}
