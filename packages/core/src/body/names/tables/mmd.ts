import type { NameTable } from '../name-table.js';

/** MikuMikuDance models (PMX, PMD) in Japanese. 足 is the thigh, 足首 the ankle; the D joints copy the leg for the skin. */
export const mmd: NameTable = {
  name: 'MMD',
  hips: '腰|グルーブ|センター|下半身',
  spine: '上半身|上半身2|上半身3',
  neck: '首',
  head: '頭',
  jaw: 'あご|顎',
  eye: '目',
  shoulder: '肩',
  upperArm: '腕',
  lowerArm: 'ひじ|肘',
  hand: '手首',
  upperLeg: '足',
  lowerLeg: 'ひざ|膝',
  foot: '足首',
  toes: 'つま先|足先EX',
  thumb: ['親指0', '親指1', '親指2'],
  index: ['人指1|人差指1', '人指2|人差指2', '人指3|人差指3'],
  middle: ['中指1', '中指2', '中指3'],
  ring: ['薬指1', '薬指2', '薬指3'],
  little: ['小指1', '小指2', '小指3'],
  ignored:
    '全ての親|操作中心|肩P|肩C|腕捩|腕捩1|腕捩2|腕捩3|手捩|手捩1|手捩2|手捩3|足D|ひざD|足首D|足IK|つま先IK|足IK親|腰キャンセル|両目|ダミー',
};
