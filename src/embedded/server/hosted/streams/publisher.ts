// One stream and its listeners. `sendChanges` sends them the changes since the previous call.
import { type Json, jsonText } from '../../../../base/server/reply.ts';

export type Send = (text: string) => void;

/** The source of a stream. `changes` returns frames with the changes since the last call, oldest first; none if nothing has changed. */
export interface FrameSource {
  readonly changes: () => readonly Json[];
}

/** Sends all listeners the same frames, so that sequence numbers have no gaps. Computes nothing while there are no listeners. */
export class StreamPublisher {
  readonly #open: () => FrameSource;
  readonly #listeners = new Set<Send>();
  #frames: FrameSource | undefined;

  /** `open` is called for the first listener. Frames contain only changes after it. */
  constructor(open: () => FrameSource) {
    this.#open = open;
  }

  /** Returns a function that removes the listener. */
  listen(send: Send): () => void {
    this.#frames ??= this.#open();
    this.#listeners.add(send);
    return () => {
      this.#listeners.delete(send);
      if (this.#listeners.size === 0) this.#frames = undefined;
    };
  }

  sendChanges(): void {
    for (const frame of this.#frames?.changes() ?? []) {
      const text = jsonText(frame);
      for (const send of this.#listeners) send(text);
    }
  }
}
