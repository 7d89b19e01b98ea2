// Redirects the global console, which a strategy's file may use, so that standard output contains only the lines of the run.
import { Console } from 'node:console';
import { Writable } from 'node:stream';

type GlobalConsole = typeof globalThis.console;

/** The key under which a redirected console has its `Redirected`. */
const REDIRECTED = Symbol('redirected');

interface Redirected {
  /** The console that was replaced. */
  readonly before: GlobalConsole;
  isActive: boolean;
}

/**
 * Passes each line of `console.log` and the like to `line` until the returned function is called. Redirections may end in any order: a console is put back once
 * all later redirections have ended.
 */
export function redirectConsole(line: (text: string) => void): () => void {
  const sink = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _, done) {
      for (const text of String(chunk).replace(/\n$/, '').split('\n')) line(text);
      done();
    },
  });
  const mark: Redirected = { before: globalThis.console, isActive: true };
  globalThis.console = Object.assign(new Console({ stdout: sink, stderr: sink }), { [REDIRECTED]: mark });
  return () => {
    mark.isActive = false;
    for (let top = markOf(globalThis.console); top?.isActive === false; top = markOf(globalThis.console)) globalThis.console = top.before;
  };
}

const markOf = (console: GlobalConsole): Redirected | undefined => (console as { [REDIRECTED]?: Redirected })[REDIRECTED];
