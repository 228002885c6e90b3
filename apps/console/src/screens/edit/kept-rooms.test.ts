import { describe, expect, it } from '@jest/globals';
import { newMemory } from '../../testing/memory.ts';
import { EMPTY_ROOM, KeptRooms, type Room } from './kept-rooms.ts';

const room = (prompt: string): Room => ({ ...EMPTY_ROOM, prompt });

describe('what is drawn on a picture', () => {
  it('is kept for each picture and user, and found after a reload, until everything is taken back', () => {
    const { memory } = newMemory();
    const rooms = new KeptRooms(memory, '1/1');
    for (const name of ['one', 'two']) rooms.keep(`http://a/${name}.png`, room(name));
    const found = (name: string, owner = '1/1') => new KeptRooms(memory, owner).of(`http://a/${name}.png`).prompt;
    expect([found('one'), found('two'), found('three'), found('one', '2/1')]).toEqual(['one', 'two', '', '']);
    rooms.forget('http://a/one.png?signature=other');
    expect([found('one'), found('two')]).toEqual(['', 'two']);
  });

  it('is found under another signature of the address, which is not kept', () => {
    const { memory, items } = newMemory();
    new KeptRooms(memory, '1/1').keep('http://a/one.png?signature=hush', room('one'));
    expect(new KeptRooms(memory, '1/1').of('http://a/one.png?signature=other').prompt).toBe('one');
    expect([...items.values()].join()).not.toContain('hush');
  });

  it('gives way to newer drawings when all are too large together', () => {
    const rooms = new KeptRooms(newMemory().memory, '1/1');
    rooms.keep('http://a/old.png', room('x'.repeat(1_200_000)));
    expect(rooms.isKept.get()).toBe(true);
    rooms.keep('http://a/small.png', room('small'));
    expect(rooms.isKept.get()).toBe(true);
    rooms.keep('http://a/new.png', room('y'.repeat(1_200_000)));
    expect(rooms.isKept.get()).toBe(true);
    expect(rooms.of('http://a/old.png')).toEqual(EMPTY_ROOM);
    expect(rooms.of('http://a/small.png').prompt).toBe('small');
  });

  it('is reported when it is too large itself', () => {
    const rooms = new KeptRooms(newMemory().memory, '1/1');
    rooms.keep('http://a/one.png', room('x'.repeat(2_000_001)));
    expect(rooms.isKept.get()).toBe(false);
  });

  it('stays in memory where the storage of the browser is full', () => {
    const rooms = new KeptRooms(newMemory(1000).memory, '1/1');
    rooms.keep('http://a/one.png', room('x'.repeat(1000)));
    expect(rooms.isKept.get()).toBe(false);
    expect(rooms.of('http://a/one.png').prompt).toHaveLength(1000);
  });
});
