// A broadcast passes each event to all subscribers, starts its source with the first one, and stops it after the last one.
import { Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { Broadcast } from '../../../src/base/streams/broadcast.ts';

describe('a broadcast', () => {
  const log: string[] = [];
  const noted = (name: string) => ({
    next: (event: number) => void log.push(`${name} ${event}`),
    complete: () => void log.push(`${name} ended`),
  });
  const logged = (): readonly string[] => log.splice(0);

  test('passes each event to all subscribers, in the order in which they subscribed', () => {
    const broadcast = new Broadcast<number>();
    broadcast.emit(1);
    const first = broadcast.events.subscribe(noted('first'));
    broadcast.events.subscribe(noted('second'));
    broadcast.emit(2);
    first.unsubscribe();
    broadcast.emit(3);
    expect(logged()).toEqual(['first 2', 'second 2', 'second 3']);
  });

  test('a subscriber that leaves during an event does not keep it from the others', () => {
    const broadcast = new Broadcast<number>();
    const leaving = broadcast.events.subscribe(() => leaving.unsubscribe());
    broadcast.events.subscribe(noted('other'));
    broadcast.emit(1);
    broadcast.emit(2);
    expect(logged()).toEqual(['other 1', 'other 2']);
  });

  test('completes all subscribers, also later ones', () => {
    const broadcast = new Broadcast<number>();
    broadcast.events.subscribe(noted('early'));
    broadcast.complete();
    broadcast.emit(1);
    broadcast.events.subscribe(noted('late'));
    expect(logged()).toEqual(['early ended', 'late ended']);
  });

  test('starts its source with the first subscriber, and stops it after the last one', () => {
    const source = new Subject<number>();
    const start = (emit: (event: number) => void) => {
      log.push('started');
      const subscription = source.subscribe(emit);
      return () => {
        log.push('stopped');
        subscription.unsubscribe();
      };
    };
    const broadcast = new Broadcast({ start });
    const [first, second] = [broadcast.events.subscribe(noted('first')), broadcast.events.subscribe(noted('second'))];
    source.next(1);
    first.unsubscribe();
    second.unsubscribe();
    expect(logged()).toEqual(['started', 'first 1', 'second 1', 'stopped']);
  });

  test('is completed by its closing', () => {
    const closing = new Subject<void>();
    const broadcast = new Broadcast<number>({ closing });
    broadcast.events.subscribe(noted('only'));
    closing.next();
    broadcast.emit(1);
    expect(logged()).toEqual(['only ended']);
  });
});
