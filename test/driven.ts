// Lets virtual time pass until a promise has settled.
export { driven } from '../src/research/testing/venue/recorder.ts';
