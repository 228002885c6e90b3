import { describe, expect, it } from '@jest/globals';
import { MODEL_KINDS } from '#catalogue';
import { aModel } from '#testing/catalogue';
import { fitsKind, isWholeGlb, labelOf, outputLabel, outputName, scoreOf } from './output-type.ts';

describe('an output', () => {
  it.each([
    ['image', ['image/png', 'image/jpeg', 'image/webp', 'image/gif']],
    ['video', ['video/mp4', 'video/webm']],
    ['vector', ['image/svg+xml']],
    ['model3d', ['model/gltf-binary']],
    ['mask', ['image/png']],
  ] as const)('of a model of kind %s is of %j and of no other type', (kind, types) => {
    const all = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/tiff', 'video/mp4', 'video/webm'];
    const others = ['image/svg+xml', 'model/gltf-binary', 'model/gltf+json', 'application/octet-stream', 'text/html'];
    expect([...all, ...others].filter((type) => fitsKind(kind, type))).toEqual(types);
    expect(fitsKind(kind, null)).toBe(false);
  });

  it('has a name for each kind', () => {
    expect(new Set(MODEL_KINDS.map(outputName)).size).toBe(MODEL_KINDS.length);
  });

  it('in GLB is exactly as long as its header says', () => {
    const head = Buffer.alloc(20);
    head.writeUInt32LE(1_000, 8);
    expect([999, 1_000, 1_001].map((size) => isWholeGlb(head, size))).toEqual([false, true, false]);
    expect(isWholeGlb(head.subarray(0, 11), 11)).toBe(false);
  });

  it('has a label of one line that the database can keep, or none', () => {
    expect(labelOf(' a\u0000sofa\n')).toBe('a sofa');
    expect([labelOf(null), labelOf(''), labelOf('\n')]).toEqual([null, null, null]);
    expect(labelOf('a'.repeat(201))).toBe('a'.repeat(200));
    expect(labelOf(`${'a'.repeat(199)}😀`)).toBe(`${'a'.repeat(199)}\ufffd`);
  });

  it('has the label of the vendor, and a mask that a prompt has found else the prompt', () => {
    const finder = aModel({ kind: 'mask', mapping: { text: 'a {prompt}' } });
    expect(outputLabel(finder, 'sofa', 'the sofa')).toBe('sofa');
    expect([null, ' '].map((label) => outputLabel(finder, label, ' the\nsofa'))).toEqual(['the sofa', 'the sofa']);
    expect(outputLabel(finder, null, null)).toBe(null);
    expect(outputLabel(aModel({ kind: 'mask' }), null, 'the sofa')).toBe(null);
    expect(outputLabel({ ...finder, kind: 'image' }, null, 'the sofa')).toBe(null);
  });

  it('has a score from 0 to 1, or none', () => {
    const kept = [0, 1, 0.5, -0.1, 1.1, Number.NaN, Infinity, null].map(scoreOf);
    expect(kept).toEqual([0, 1, 0.5, null, null, null, null, null]);
  });
});
