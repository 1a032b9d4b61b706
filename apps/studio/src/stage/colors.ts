import type { ChainName } from '../engine/protocol.js';

/** The colour of each chain: one in views, map and timeline. */
export const CHAIN_COLORS: Readonly<Record<ChainName, string>> = {
  torso: '#f2b84b',
  leftArm: '#4cc9f0',
  rightArm: '#ff7ab6',
  leftLeg: '#3ddc97',
  rightLeg: '#ff8f5a',
  leftHand: '#8ea6ff',
  rightHand: '#c58bff',
  none: '#8b93a1',
};

/** What chains are called on a body with arms. */
const CHAIN_TITLES: Readonly<Record<ChainName, string>> = {
  torso: 'Torso',
  leftArm: 'Left arm',
  rightArm: 'Right arm',
  leftLeg: 'Left leg',
  rightLeg: 'Right leg',
  leftHand: 'Left hand',
  rightHand: 'Right hand',
  none: 'Other joints',
};

/** What chains of a body are called: one that stands on four feet has no arms. */
export function chainTitles(points: Readonly<Record<string, unknown>>): typeof CHAIN_TITLES {
  if (!('frontLeftFoot' in points)) return CHAIN_TITLES;
  return {
    ...CHAIN_TITLES,
    leftArm: 'Front left leg',
    rightArm: 'Front right leg',
    leftLeg: 'Hind left leg',
    rightLeg: 'Hind right leg',
  };
}

/** Colours of a view, by theme. */
export const VIEW_COLORS = {
  dark: {
    ground: 0x15171b,
    line: 0x2c3037,
    axis: 0x474d57,
    shadow: 0.5,
    sky: 0xffffff,
    earth: 0x30343c,
    body: 0xb9c0cb,
  },
  light: {
    ground: 0xf3f4f6,
    line: 0xd3d8df,
    axis: 0xaeb5bf,
    shadow: 0.32,
    sky: 0xffffff,
    earth: 0xb9bec8,
    body: 0x9aa3b2,
  },
} as const;
