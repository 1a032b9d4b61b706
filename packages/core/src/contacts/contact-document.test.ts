import { describe, expect, it } from 'vitest';
import { UsageError } from '../base/errors.js';
import type { Contact } from '../options/contact.js';
import { completeContacts, contactsOfPart, readContacts } from './contact-document.js';

const STEP: Contact = { point: 'leftToe', start: 1, end: 2, height: 0.1, position: [1, 0, 3] };

const TOUCH: Contact = { point: 'leftHand', start: 1, end: 2, height: 0, position: null, on: 'rightLeg' };

describe('contacts as a document', () => {
  it('holds what hands touch and carry, and sees it in a mirror', () => {
    const carry = { point: 'hands', start: 0, end: 3, apart: 0.4 };
    const { clips } = readContacts({ version: 1, clips: { lift: [carry, TOUCH] } });
    expect(clips.lift).toEqual([{ ...carry, height: 0, position: null, on: 'carried' }, TOUCH]);
    const mirrored = contactsOfPart(completeContacts(clips.lift!, 'lift'), {
      ...{ start: 0, end: 3, speed: 1 },
      mirror: true,
    });
    expect(mirrored.map(({ point, on }) => [point, on])).toEqual([
      ['hands', 'carried'],
      ['rightHand', 'leftLeg'],
    ]);
  });

  it('survives JSON, and comes in order of time', () => {
    const document = { version: 1, clips: { walk: [{ ...STEP, start: 1.5 }, STEP] } };
    const { clips } = readContacts(JSON.parse(JSON.stringify(document)));
    expect(clips.walk).toEqual([STEP, { ...STEP, start: 1.5 }]);
  });

  it('a contact without a height stands on the floor', () => {
    expect(completeContacts([{ point: 'hips', start: 0, end: 1 }], 'sit')[0]).toMatchObject({ height: 0 });
  });

  it.each([
    ['nothing', null, 'contacts: must be an object'],
    ['another version', { version: 2, clips: {} }, 'contacts.version'],
    ['no clips', { version: 1 }, 'contacts.clips'],
    ['no list', { version: 1, clips: { walk: 3 } }, 'contacts.clips.walk'],
    ['an unknown point', { version: 1, clips: { walk: [{ ...STEP, point: 'tail' }] } }, 'walk[0].point'],
    ['no number', { version: 1, clips: { walk: [STEP, { ...STEP, end: null }] } }, 'walk[1].end'],
    [
      'an unknown thing that is touched',
      { version: 1, clips: { walk: [{ ...TOUCH, on: 'sky' }] } },
      'contacts.clips.walk[0].on',
    ],
    [
      'a foot that touches the head',
      { version: 1, clips: { walk: [{ ...STEP, on: 'head' }] } },
      'contacts.clips.walk[0].on: hands touch',
    ],
    [
      'one hand that carries between two',
      { version: 1, clips: { walk: [{ ...TOUCH, on: 'carried' }] } },
      'contacts.clips.walk[0].on: both hands carry',
    ],
    [
      'a distance of nothing',
      { version: 1, clips: { walk: [{ ...STEP, apart: 1 }] } },
      'contacts.clips.walk[0].apart: needs',
    ],
    [
      'a distance below nothing',
      { version: 1, clips: { walk: [{ ...TOUCH, apart: -1 }] } },
      'contacts.clips.walk[0].apart: must be',
    ],
    ['a contact that ends first', { version: 1, clips: { walk: [{ ...STEP, end: 0 }] } }, 'before it starts'],
  ])('R11: %s is told with its place', (_, json, message) => {
    expect(() => readContacts(json)).toThrow(UsageError);
    expect(() => readContacts(json)).toThrow(message);
  });

  it('goes along with a part of a clip, its speed, and a mirror', () => {
    const part = { start: 0.5, end: 1.5, speed: 2, mirror: true };
    expect(contactsOfPart([STEP, { ...STEP, start: 3, end: 4 }], part)).toEqual([
      { ...STEP, point: 'rightToe', start: 0.25, end: 0.5, position: [-1, 0, 3] },
    ]);
    const paw = contactsOfPart([{ ...STEP, point: 'hindLeftFoot' }], { ...part, end: 9 });
    expect(paw[0]!.point).toBe('hindRightFoot');
  });
});
