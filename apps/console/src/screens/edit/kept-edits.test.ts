import { describe, expect, it } from '@jest/globals';
import { newMemory } from '../../testing/memory.ts';
import { EMPTY_EDIT, KeptEdits, type EditState } from './kept-edits.ts';

const edit = (prompt: string): EditState => ({ ...EMPTY_EDIT, prompt });

describe('what is drawn on a picture', () => {
  it('is kept for each picture and user, and found after a reload, until everything is taken back', () => {
    const { memory } = newMemory();
    const edits = new KeptEdits(memory, '1/1');
    for (const name of ['one', 'two']) edits.keep(`http://a/${name}.png`, edit(name));
    const found = (name: string, owner = '1/1') => new KeptEdits(memory, owner).of(`http://a/${name}.png`).prompt;
    expect([found('one'), found('two'), found('three'), found('one', '2/1')]).toEqual(['one', 'two', '', '']);
    edits.forget('http://a/one.png?signature=other');
    expect([found('one'), found('two')]).toEqual(['', 'two']);
  });

  it('is found under another signature of the address, which is not kept', () => {
    const { memory, items } = newMemory();
    new KeptEdits(memory, '1/1').keep('http://a/one.png?signature=hush', edit('one'));
    expect(new KeptEdits(memory, '1/1').of('http://a/one.png?signature=other').prompt).toBe('one');
    expect([...items.values()].join()).not.toContain('hush');
  });

  it('gives way to newer drawings when all are too large together', () => {
    const edits = new KeptEdits(newMemory().memory, '1/1');
    edits.keep('http://a/old.png', edit('x'.repeat(1_200_000)));
    expect(edits.isKept.get()).toBe(true);
    edits.keep('http://a/small.png', edit('small'));
    expect(edits.isKept.get()).toBe(true);
    edits.keep('http://a/new.png', edit('y'.repeat(1_200_000)));
    expect(edits.isKept.get()).toBe(true);
    expect(edits.of('http://a/old.png')).toEqual(EMPTY_EDIT);
    expect(edits.of('http://a/small.png').prompt).toBe('small');
  });

  it('is reported when it is too large itself', () => {
    const edits = new KeptEdits(newMemory().memory, '1/1');
    edits.keep('http://a/one.png', edit('x'.repeat(2_000_001)));
    expect(edits.isKept.get()).toBe(false);
  });

  it('stays in memory where the storage of the browser is full', () => {
    const edits = new KeptEdits(newMemory(1000).memory, '1/1');
    edits.keep('http://a/one.png', edit('x'.repeat(1000)));
    expect(edits.isKept.get()).toBe(false);
    expect(edits.of('http://a/one.png').prompt).toHaveLength(1000);
  });
});
