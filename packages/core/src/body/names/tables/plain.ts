import type { NameTable } from '../name-table.js';

/** Plain words for body parts in the mixtures that people make up themselves. */
export const plain: NameTable = {
  name: 'plain anatomical names',
  generic: true,
  hips: 'hips|pelvis|hip',
  spine:
    'spine|spine0|spine1|spine2|spine3|spine4|spine5|spine00|spine01|spine02|spine03|spine04|spine05|lowerspine|midspine|middlespine|spinemiddle|upperspine|spinelower|spinemid|spineupper|chest|chest1|chest2|upperchest|lowerchest|torso|torso1|torso2|abdomen|belly|stomach|waist|ribcage|ribs|lowerback|upperback|lowerbody|upperbody',
  neck: 'neck|neck0|neck1|neck2|neck3|neck01|neck02|neck03|lowerneck|upperneck',
  head: 'head',
  jaw: 'jaw|lowerjaw',
  eye: 'eye',
  shoulder: 'shoulder|clavicle|collar|collarbone|scapula',
  upperArm: 'upperarm|uparm|armupper|arm|bicep|humerus',
  lowerArm: 'lowerarm|forearm|loarm|lowarm|armlower|elbow',
  hand: 'hand|wrist|palm',
  upperLeg: 'upperleg|thigh|upleg|legupper|femur',
  lowerLeg: 'lowerleg|calf|shin|loleg|lowleg|leglower|knee|leg',
  foot: 'foot|ankle',
  toes: 'toes|toe|toebase|ball|foottoe',
  thumb: [
    'thumb1|thumb01|f_thumb1|f_thumb01|thumbfinger1|thumbfinger01|fingerthumb1|fingerthumb01|handthumb1|handthumb01',
    'thumb2|thumb02|f_thumb2|f_thumb02|thumbfinger2|thumbfinger02|fingerthumb2|fingerthumb02|handthumb2|handthumb02',
    'thumb3|thumb03|f_thumb3|f_thumb03|thumbfinger3|thumbfinger03|fingerthumb3|fingerthumb03|handthumb3|handthumb03',
  ],
  index: [
    'index1|index01|f_index1|f_index01|indexfinger1|indexfinger01|fingerindex1|fingerindex01|handindex1|handindex01|pointer1|pointer01|pointerfinger1|handpointer1',
    'index2|index02|f_index2|f_index02|indexfinger2|indexfinger02|fingerindex2|fingerindex02|handindex2|handindex02|pointer2|pointer02|pointerfinger2|handpointer2',
    'index3|index03|f_index3|f_index03|indexfinger3|indexfinger03|fingerindex3|fingerindex03|handindex3|handindex03|pointer3|pointer03|pointerfinger3|handpointer3',
  ],
  middle: [
    'middle1|middle01|f_middle1|f_middle01|middlefinger1|middlefinger01|fingermiddle1|fingermiddle01|handmiddle1|handmiddle01|mid1|mid01|midfinger1|handmid1',
    'middle2|middle02|f_middle2|f_middle02|middlefinger2|middlefinger02|fingermiddle2|fingermiddle02|handmiddle2|handmiddle02|mid2|mid02|midfinger2|handmid2',
    'middle3|middle03|f_middle3|f_middle03|middlefinger3|middlefinger03|fingermiddle3|fingermiddle03|handmiddle3|handmiddle03|mid3|mid03|midfinger3|handmid3',
  ],
  ring: [
    'ring1|ring01|f_ring1|f_ring01|ringfinger1|ringfinger01|fingerring1|fingerring01|handring1|handring01',
    'ring2|ring02|f_ring2|f_ring02|ringfinger2|ringfinger02|fingerring2|fingerring02|handring2|handring02',
    'ring3|ring03|f_ring3|f_ring03|ringfinger3|ringfinger03|fingerring3|fingerring03|handring3|handring03',
  ],
  little: [
    'pinky1|pinky01|f_pinky1|f_pinky01|pinkyfinger1|pinkyfinger01|fingerpinky1|fingerpinky01|handpinky1|handpinky01|little1|little01|littlefinger1|handlittle1|pinkie1|pinkie01|pinkiefinger1|handpinkie1',
    'pinky2|pinky02|f_pinky2|f_pinky02|pinkyfinger2|pinkyfinger02|fingerpinky2|fingerpinky02|handpinky2|handpinky02|little2|little02|littlefinger2|handlittle2|pinkie2|pinkie02|pinkiefinger2|handpinkie2',
    'pinky3|pinky03|f_pinky3|f_pinky03|pinkyfinger3|pinkyfinger03|fingerpinky3|fingerpinky03|handpinky3|handpinky03|little3|little03|littlefinger3|handlittle3|pinkie3|pinkie03|pinkiefinger3|handpinkie3',
  ],
  ignored: 'root|master|origin|armature|cog',
};
