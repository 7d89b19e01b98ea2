// Runs with websockets that have one fault, and none. All faults at once: `streams.test.ts`.
import { FAULTLESS, testDelivery } from './streams-played.ts';

testDelivery([
  ['without faults', FAULTLESS],
  ['with lost frames', { ...FAULTLESS, loss: 0.1 }],
  ['with repeated frames', { ...FAULTLESS, repeat: 0.3 }],
  ['with delayed frames', { ...FAULTLESS, lateMs: 2_000 }],
  ['with cuts', { ...FAULTLESS, cut: 0.02 }],
]);
