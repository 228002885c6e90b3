import { expect, it } from '@jest/globals';
import type { DryRunResponse, SlotDto } from '../../api/index.ts';
import { slotRoles } from './slot-roles.ts';

const NO_INPUTS = {
  image: null,
  start_frame: null,
  style_reference: null,
  references: [],
  mask: null,
  control: null,
  pictures: [],
};

function rolesOf(photos: readonly (string | null)[], inputs?: Partial<DryRunResponse['inputs']>) {
  const slots = photos.map((photo, at) => {
    const purpose = at === 0 ? 'master' : at === 6 ? 'main' : 'style';
    return { slot: at + 1, purpose, photo } as SlotDto;
  });
  const resolved = inputs && { ...NO_INPUTS, ...inputs };
  return slotRoles(slots, resolved).map(({ role, position }) => `${role}${position ?? ''}`);
}

it('a slot has the role that the service gives to its picture', () => {
  const photos = ['a', null, 'c', 'd', null, null, 'g'];
  const inputs = { style_reference: 'a', references: ['d', 'c'], start_frame: 'g' };
  expect(rolesOf(photos, inputs)).toEqual([
    ...['style', 'empty', 'reference2', 'reference1'],
    ...['empty', 'empty', 'start_frame'],
  ]);
  expect(rolesOf(photos, {})[0]).toBe('unused');
});

it('the same picture in several slots has in each the role of the purpose of the slot', () => {
  const roles = rolesOf(['x', 'x', null, null, null, null, 'x'], {
    style_reference: 'x',
    references: ['x'],
    image: 'x',
  });
  expect(roles).toEqual(['style', 'reference1', 'empty', 'empty', 'empty', 'empty', 'image']);
});

it('the role of a picture is unknown until the service has resolved the inputs', () => {
  expect(rolesOf(['a', null])).toEqual(['null', 'empty']);
});
