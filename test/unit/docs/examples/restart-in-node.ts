import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineStrategy } from 'tickwright';
import { play } from 'tickwright/testing';
import maker from './maker.ts';

test('decides the same if it is created anew in every turn', async () => {
  const recreated = defineStrategy({ ...maker, create: (params, tools) => (view) => maker.create(params, tools)(view) });
  const [once, restarted] = [await play(maker, { for: '30s' }), await play(recreated, { for: '30s' })];
  assert.equal(restarted.fingerprint, once.fingerprint);
});
