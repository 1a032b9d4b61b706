import type { Sides } from './sketch-skeleton.js';

/** A naming convention as characters in the wild have it, with the roles its joints play. */
export type Family = {
  /** The name of the table that should recognise it. */
  name: string;
  sides: Sides;
  sketch: string;
  /** `role=joint`, blank-separated, `+` for a blank in a name; a role without its side where the joint has `~`. */
  roles: string;
  /** Manglings after which the names are past recognition. */
  lost?: readonly string[];
};

const THREE = ['Proximal', 'Intermediate', 'Distal'];
const THUMB = ['Metacarpal', 'Proximal', 'Distal'];

/** Roles of a finger's three joints; `#` in the pattern is 1, 2, 3. */
function finger(name: string, pattern: string): string {
  return (name === 'Thumb' ? THUMB : THREE)
    .map((p, i) => `${name}${p}=${pattern.replace('#', `${i + 1}`)}`)
    .join(' ');
}

/** Full joint lists of conventions, for which there are few or no real files to test with. */
export const FAMILIES: readonly Family[] = [
  {
    name: 'Mixamo',
    sides: ['Left', 'Right'],
    sketch: `
mixamorig:Hips
  mixamorig:Spine > mixamorig:Spine1 > mixamorig:Spine2
    mixamorig:Neck > mixamorig:Head > mixamorig:HeadTop_End
    mixamorig:~Shoulder > mixamorig:~Arm > mixamorig:~ForeArm > mixamorig:~Hand
      mixamorig:~HandThumb1 > mixamorig:~HandThumb2 > mixamorig:~HandThumb3 > mixamorig:~HandThumb4
      mixamorig:~HandIndex1 > mixamorig:~HandIndex2 > mixamorig:~HandIndex3 > mixamorig:~HandIndex4
      mixamorig:~HandPinky1 > mixamorig:~HandPinky2 > mixamorig:~HandPinky3 > mixamorig:~HandPinky4
  mixamorig:~UpLeg > mixamorig:~Leg > mixamorig:~Foot > mixamorig:~ToeBase > mixamorig:~Toe_End`,
    roles: `hips=mixamorig:Hips spine=mixamorig:Spine chest=mixamorig:Spine1 upperChest=mixamorig:Spine2 neck=mixamorig:Neck
      head=mixamorig:Head Shoulder=mixamorig:~Shoulder UpperArm=mixamorig:~Arm LowerArm=mixamorig:~ForeArm Hand=mixamorig:~Hand
      UpperLeg=mixamorig:~UpLeg LowerLeg=mixamorig:~Leg Foot=mixamorig:~Foot Toes=mixamorig:~ToeBase
      ${finger('Thumb', 'mixamorig:~HandThumb#')} ${finger('Index', 'mixamorig:~HandIndex#')} ${finger('Little', 'mixamorig:~HandPinky#')}`,
  },
  {
    name: 'Unreal mannequin',
    sides: ['l', 'r'],
    sketch: `
root
  pelvis
    spine_01 > spine_02 > spine_03 > spine_04 > spine_05
      neck_01 > neck_02 > head
      clavicle_~ > upperarm_~
        upperarm_twist_01_~
        upperarm_twist_02_~
        lowerarm_~
          lowerarm_twist_01_~
          hand_~
            thumb_01_~ > thumb_02_~ > thumb_03_~
            index_metacarpal_~ > index_01_~ > index_02_~ > index_03_~
            middle_metacarpal_~ > middle_01_~ > middle_02_~ > middle_03_~
            ring_metacarpal_~ > ring_01_~ > ring_02_~ > ring_03_~
            pinky_metacarpal_~ > pinky_01_~ > pinky_02_~ > pinky_03_~
            weapon_~
    thigh_~
      thigh_twist_01_~
      calf_~
        calf_twist_01_~
        foot_~ > ball_~
  ik_foot_root > ik_foot_l
  ik_hand_root > ik_hand_gun > ik_hand_l
  interaction
  center_of_mass`,
    roles: `hips=pelvis spine=spine_01 upperChest=spine_05 neck=neck_01 head=head Shoulder=clavicle_~ UpperArm=upperarm_~
      LowerArm=lowerarm_~ Hand=hand_~ UpperLeg=thigh_~ LowerLeg=calf_~ Foot=foot_~ Toes=ball_~ ${finger('Thumb', 'thumb_0#_~')}
      ${finger('Index', 'index_0#_~')} ${finger('Middle', 'middle_0#_~')} ${finger('Ring', 'ring_0#_~')} ${finger('Little', 'pinky_0#_~')}`,
  },
  {
    name: 'Rigify',
    sides: ['L', 'R'],
    sketch: `
rig
  root
    DEF-spine
      DEF-spine.001 > DEF-spine.002 > DEF-spine.003
        DEF-spine.004 > DEF-spine.005 > DEF-spine.006
        DEF-shoulder.~ > DEF-upper_arm.~ > DEF-upper_arm.~.001 > DEF-forearm.~ > DEF-forearm.~.001 > DEF-hand.~
          DEF-thumb.01.~ > DEF-thumb.02.~ > DEF-thumb.03.~
          DEF-palm.01.~ > DEF-f_index.01.~ > DEF-f_index.02.~ > DEF-f_index.03.~
        DEF-breast.~
      DEF-pelvis.~
      DEF-thigh.~ > DEF-thigh.~.001 > DEF-shin.~ > DEF-shin.~.001 > DEF-foot.~ > DEF-toe.~
    ORG-spine > ORG-spine.001
    MCH-torso.parent
    ORG-upper_arm.~ > MCH-upper_arm_ik.~`,
    roles: `hips=DEF-spine spine=DEF-spine.001 chest=DEF-spine.002 upperChest=DEF-spine.003 neck=DEF-spine.004 head=DEF-spine.006
      Shoulder=DEF-shoulder.~ UpperArm=DEF-upper_arm.~ LowerArm=DEF-forearm.~ Hand=DEF-hand.~ UpperLeg=DEF-thigh.~ LowerLeg=DEF-shin.~
      Foot=DEF-foot.~ Toes=DEF-toe.~ ${finger('Thumb', 'DEF-thumb.0#.~')} ${finger('Index', 'DEF-f_index.0#.~')}`,
  },
  {
    name: 'Rigify',
    sides: ['L', 'R'],
    sketch: `
spine
  spine.001 > spine.002 > spine.003
    spine.004 > spine.005 > spine.006 > face
    shoulder.~ > upper_arm.~ > forearm.~ > hand.~
      palm.01.~ > f_index.01.~ > f_index.02.~ > f_index.03.~
  pelvis.~
  thigh.~ > shin.~ > foot.~
    toe.~
    heel.02.~`,
    roles: `hips=spine spine=spine.001 chest=spine.002 upperChest=spine.003 neck=spine.004 head=spine.006 Shoulder=shoulder.~
      UpperArm=upper_arm.~ LowerArm=forearm.~ Hand=hand.~ UpperLeg=thigh.~ LowerLeg=shin.~ Foot=foot.~ Toes=toe.~ ${finger('Index', 'f_index.0#.~')}`,
  },
  {
    name: '3ds Max Biped',
    sides: ['L', 'R'],
    sketch: `
Bip001
  Bip001 Footsteps
  Bip001 Pelvis > Bip001 Spine
    Bip001 Spine1 > Bip001 Neck
      Bip001 Head > Bip001 HeadNub
      Bip001 ~ Clavicle > Bip001 ~ UpperArm > Bip001 ~ Forearm > Bip001 ~ Hand
        Bip001 ~ Finger0 > Bip001 ~ Finger01 > Bip001 ~ Finger02 > Bip001 ~ Finger0Nub
        Bip001 ~ Finger1 > Bip001 ~ Finger11 > Bip001 ~ Finger12 > Bip001 ~ Finger1Nub
    Bip001 ~ Thigh > Bip001 ~ Calf > Bip001 ~ Foot > Bip001 ~ Toe0 > Bip001 ~ Toe0Nub`,
    roles: `hips=Bip001+Pelvis spine=Bip001+Spine chest=Bip001+Spine1 neck=Bip001+Neck head=Bip001+Head Shoulder=Bip001+~+Clavicle
      UpperArm=Bip001+~+UpperArm LowerArm=Bip001+~+Forearm Hand=Bip001+~+Hand UpperLeg=Bip001+~+Thigh LowerLeg=Bip001+~+Calf
      Foot=Bip001+~+Foot Toes=Bip001+~+Toe0 ThumbMetacarpal=Bip001+~+Finger0 ThumbProximal=Bip001+~+Finger01 ThumbDistal=Bip001+~+Finger02
      IndexProximal=Bip001+~+Finger1 IndexIntermediate=Bip001+~+Finger11 IndexDistal=Bip001+~+Finger12`,
  },
  {
    name: 'Daz, Poser',
    sides: ['l', 'r'],
    sketch: `
Genesis8Female
  hip
    pelvis
      ~ThighBend > ~ThighTwist > ~Shin > ~Foot > ~Metatarsals > ~Toe
        ~BigToe
        ~SmallToe1
    abdomenLower > abdomenUpper > chestLower
      chestUpper
        ~Collar > ~ShldrBend > ~ShldrTwist > ~ForearmBend > ~ForearmTwist > ~Hand
          ~Thumb1 > ~Thumb2 > ~Thumb3
          ~Carpal1 > ~Index1 > ~Index2 > ~Index3
          ~Carpal2 > ~Mid1 > ~Mid2 > ~Mid3
          ~Carpal3 > ~Ring1 > ~Ring2 > ~Ring3
          ~Carpal4 > ~Pinky1 > ~Pinky2 > ~Pinky3
        neckLower > neckUpper > head
          upperTeeth
          lowerJaw > lowerTeeth
          ~Eye
      ~Pectoral`,
    roles: `hips=hip spine=abdomenLower upperChest=chestUpper neck=neckLower head=head jaw=lowerJaw Eye=~Eye Shoulder=~Collar
      UpperArm=~ShldrBend LowerArm=~ForearmBend Hand=~Hand UpperLeg=~ThighBend LowerLeg=~Shin Foot=~Foot Toes=~Toe
      ${finger('Thumb', '~Thumb#')} ${finger('Index', '~Index#')} ${finger('Middle', '~Mid#')} ${finger('Ring', '~Ring#')} ${finger('Little', '~Pinky#')}`,
  },
  {
    name: 'Daz Genesis 9',
    sides: ['l', 'r'],
    sketch: `
Genesis9
  hip
    pelvis > ~_thigh > ~_shin > ~_foot > ~_metatarsal > ~_toes
    spine1 > spine2 > spine3 > spine4
      neck1 > neck2 > head > lowerjaw
      ~_shoulder > ~_upperarm
        ~_upperarmtwist1
        ~_forearm > ~_hand
          ~_thumb1 > ~_thumb2 > ~_thumb3
          ~_indexmetacarpal > ~_index1 > ~_index2 > ~_index3`,
    roles: `hips=hip spine=spine1 upperChest=spine4 neck=neck1 head=head jaw=lowerjaw Shoulder=~_shoulder UpperArm=~_upperarm
      LowerArm=~_forearm Hand=~_hand UpperLeg=~_thigh LowerLeg=~_shin Foot=~_foot Toes=~_toes ${finger('Thumb', '~_thumb#')} ${finger('Index', '~_index#')}`,
  },
  {
    name: 'VRoid',
    sides: ['L', 'R'],
    sketch: `
Root
  J_Bip_C_Hips
    J_Bip_C_Spine > J_Bip_C_Chest > J_Bip_C_UpperChest
      J_Bip_C_Neck > J_Bip_C_Head
        J_Adj_~_FaceEye
        J_Sec_Hair1_01 > J_Sec_Hair2_01
      J_Bip_~_Shoulder > J_Bip_~_UpperArm > J_Bip_~_LowerArm > J_Bip_~_Hand
        J_Bip_~_Thumb1 > J_Bip_~_Thumb2 > J_Bip_~_Thumb3
        J_Bip_~_Index1 > J_Bip_~_Index2 > J_Bip_~_Index3
        J_Bip_~_Little1 > J_Bip_~_Little2 > J_Bip_~_Little3
      J_Sec_~_Bust1 > J_Sec_~_Bust2
    J_Bip_~_UpperLeg > J_Bip_~_LowerLeg > J_Bip_~_Foot > J_Bip_~_ToeBase
    J_Sec_~_SkirtBack0_01`,
    roles: `hips=J_Bip_C_Hips spine=J_Bip_C_Spine chest=J_Bip_C_Chest upperChest=J_Bip_C_UpperChest neck=J_Bip_C_Neck head=J_Bip_C_Head
      Eye=J_Adj_~_FaceEye Shoulder=J_Bip_~_Shoulder UpperArm=J_Bip_~_UpperArm LowerArm=J_Bip_~_LowerArm Hand=J_Bip_~_Hand
      UpperLeg=J_Bip_~_UpperLeg LowerLeg=J_Bip_~_LowerLeg Foot=J_Bip_~_Foot Toes=J_Bip_~_ToeBase ${finger('Thumb', 'J_Bip_~_Thumb#')}
      ${finger('Index', 'J_Bip_~_Index#')} ${finger('Little', 'J_Bip_~_Little#')}`,
  },
  {
    name: 'Unity humanoid',
    sides: ['L', 'R'],
    sketch: `
Armature
  Hips
    Spine > Chest
      Neck > Head
        Eye_~
        Jaw
      Shoulder_~ > UpperArm_~ > LowerArm_~ > Hand_~
        ThumbProximal_~ > ThumbIntermediate_~ > ThumbDistal_~
        IndexProximal_~ > IndexIntermediate_~ > IndexDistal_~
    UpperLeg_~ > LowerLeg_~ > Foot_~ > Toes_~`,
    roles: `hips=Hips spine=Spine chest=Chest neck=Neck head=Head jaw=Jaw Eye=Eye_~ Shoulder=Shoulder_~ UpperArm=UpperArm_~
      LowerArm=LowerArm_~ Hand=Hand_~ UpperLeg=UpperLeg_~ LowerLeg=LowerLeg_~ Foot=Foot_~ Toes=Toes_~ ThumbMetacarpal=ThumbProximal_~
      ThumbProximal=ThumbIntermediate_~ ThumbDistal=ThumbDistal_~ IndexProximal=IndexProximal_~ IndexIntermediate=IndexIntermediate_~
      IndexDistal=IndexDistal_~`,
  },
  {
    name: 'Rokoko',
    sides: ['Left', 'Right'],
    sketch: `
Hips
  Spine > Spine1 > Spine2 > Spine3 > Spine4
    Neck > Head
    ~Shoulder > ~Arm > ~ForeArm > ~Hand
      ~Finger1Metacarpal > ~Finger1Proximal > ~Finger1Distal > ~Finger1Tip
      ~Finger2Metacarpal > ~Finger2Proximal > ~Finger2Medial > ~Finger2Distal > ~Finger2Tip
      ~Finger5Metacarpal > ~Finger5Proximal > ~Finger5Medial > ~Finger5Distal > ~Finger5Tip
  ~Thigh > ~Shin > ~Foot > ~Toe > ~ToeTip`,
    roles: `hips=Hips spine=Spine upperChest=Spine4 neck=Neck head=Head Shoulder=~Shoulder UpperArm=~Arm LowerArm=~ForeArm Hand=~Hand
      UpperLeg=~Thigh LowerLeg=~Shin Foot=~Foot Toes=~Toe ThumbMetacarpal=~Finger1Metacarpal ThumbProximal=~Finger1Proximal
      ThumbDistal=~Finger1Distal IndexProximal=~Finger2Proximal IndexIntermediate=~Finger2Medial IndexDistal=~Finger2Distal
      LittleProximal=~Finger5Proximal LittleIntermediate=~Finger5Medial LittleDistal=~Finger5Distal`,
  },
  {
    name: 'SOMA',
    sides: ['Left', 'Right'],
    sketch: `
Hips
  Spine1 > Spine2 > Chest
    Neck1 > Neck2 > Head > HeadEnd
    ~Shoulder > ~Arm > ~ForeArm > ~Hand
      ~HandThumb1 > ~HandThumb2 > ~HandThumb3 > ~HandThumbEnd
      ~HandIndex1 > ~HandIndex2 > ~HandIndex3 > ~HandIndex4 > ~HandIndexEnd
      ~HandPinky1 > ~HandPinky2 > ~HandPinky3 > ~HandPinky4 > ~HandPinkyEnd
  ~Leg > ~Shin > ~Foot > ~ToeBase > ~ToeEnd`,
    roles: `hips=Hips spine=Spine1 chest=Spine2 upperChest=Chest neck=Neck1 head=Head Shoulder=~Shoulder UpperArm=~Arm
      LowerArm=~ForeArm Hand=~Hand UpperLeg=~Leg LowerLeg=~Shin Foot=~Foot Toes=~ToeBase ${finger('Thumb', '~HandThumb#')}
      IndexProximal=~HandIndex2 IndexIntermediate=~HandIndex3 IndexDistal=~HandIndex4
      LittleProximal=~HandPinky2 LittleIntermediate=~HandPinky3 LittleDistal=~HandPinky4`,
  },
  {
    name: 'Xsens',
    sides: ['Left', 'Right'],
    sketch: `
Reference
  Pelvis
    L5 > L3 > T12 > T8
      Neck > Head
      ~Shoulder > ~UpperArm > ~ForeArm > ~Hand
        ~Carpus
          ~FirstMC > ~FirstPP > ~FirstDP
          ~SecondMC > ~SecondPP > ~SecondMP > ~SecondDP
    ~UpperLeg > ~LowerLeg > ~Foot > ~Toe`,
    roles: `hips=Pelvis spine=L5 upperChest=T8 neck=Neck head=Head Shoulder=~Shoulder UpperArm=~UpperArm LowerArm=~ForeArm Hand=~Hand
      UpperLeg=~UpperLeg LowerLeg=~LowerLeg Foot=~Foot Toes=~Toe ThumbMetacarpal=~FirstMC ThumbProximal=~FirstPP ThumbDistal=~FirstDP
      IndexProximal=~SecondPP IndexIntermediate=~SecondMP IndexDistal=~SecondDP`,
  },
  {
    name: 'classic BVH',
    sides: ['Left', 'Right'],
    sketch: `
Hips
  ~Hip > ~Knee > ~Ankle > ~Toe
  Chest > Chest2 > Chest3 > Chest4
    ~Collar > ~Shoulder > ~Elbow > ~Wrist
    Neck > Head`,
    roles: `hips=Hips spine=Chest upperChest=Chest4 neck=Neck head=Head Shoulder=~Collar UpperArm=~Shoulder LowerArm=~Elbow Hand=~Wrist
      UpperLeg=~Hip LowerLeg=~Knee Foot=~Ankle Toes=~Toe`,
  },
  {
    name: 'SMPL',
    sides: ['L', 'R'],
    sketch: `
f_avg_root
  f_avg_Pelvis
    f_avg_~_Hip > f_avg_~_Knee > f_avg_~_Ankle > f_avg_~_Foot
    f_avg_Spine1 > f_avg_Spine2 > f_avg_Spine3
      f_avg_Neck > f_avg_Head
      f_avg_~_Collar > f_avg_~_Shoulder > f_avg_~_Elbow > f_avg_~_Wrist > f_avg_~_Hand`,
    roles: `hips=f_avg_Pelvis spine=f_avg_Spine1 chest=f_avg_Spine2 upperChest=f_avg_Spine3 neck=f_avg_Neck head=f_avg_Head
      Shoulder=f_avg_~_Collar UpperArm=f_avg_~_Shoulder LowerArm=f_avg_~_Elbow Hand=f_avg_~_Wrist UpperLeg=f_avg_~_Hip
      LowerLeg=f_avg_~_Knee Foot=f_avg_~_Ankle Toes=f_avg_~_Foot`,
  },
  {
    name: 'SMPL',
    sides: ['left', 'right'],
    sketch: `
root
  pelvis
    ~_hip > ~_knee > ~_ankle > ~_foot
    spine1 > spine2 > spine3
      neck > head
        jaw
        ~_eye_smplhf
      ~_collar > ~_shoulder > ~_elbow > ~_wrist
        ~_index1 > ~_index2 > ~_index3
        ~_pinky1 > ~_pinky2 > ~_pinky3
        ~_thumb1 > ~_thumb2 > ~_thumb3`,
    roles: `hips=pelvis spine=spine1 chest=spine2 upperChest=spine3 neck=neck head=head jaw=jaw Eye=~_eye_smplhf Shoulder=~_collar
      UpperArm=~_shoulder LowerArm=~_elbow Hand=~_wrist UpperLeg=~_hip LowerLeg=~_knee Foot=~_ankle Toes=~_foot
      ${finger('Thumb', '~_thumb#')} ${finger('Index', '~_index#')} ${finger('Little', '~_pinky#')}`,
  },
  {
    name: 'OptiTrack',
    sides: ['L', 'R'],
    sketch: `
Skeleton_Hip
  Skeleton_Ab > Skeleton_Chest
    Skeleton_Neck > Skeleton_Head
    Skeleton_~Shoulder > Skeleton_~UArm > Skeleton_~FArm > Skeleton_~Hand
      Skeleton_~Thumb1 > Skeleton_~Thumb2 > Skeleton_~Thumb3
  Skeleton_~Thigh > Skeleton_~Shin > Skeleton_~Foot > Skeleton_~Toe`,
    roles: `hips=Skeleton_Hip spine=Skeleton_Ab chest=Skeleton_Chest neck=Skeleton_Neck head=Skeleton_Head Shoulder=Skeleton_~Shoulder
      UpperArm=Skeleton_~UArm LowerArm=Skeleton_~FArm Hand=Skeleton_~Hand UpperLeg=Skeleton_~Thigh LowerLeg=Skeleton_~Shin
      Foot=Skeleton_~Foot Toes=Skeleton_~Toe ${finger('Thumb', 'Skeleton_~Thumb#')}`,
  },
  {
    name: 'Character Creator',
    sides: ['L', 'R'],
    sketch: `
RL_BoneRoot > CC_Base_Hip
  CC_Base_Pelvis
    CC_Base_~_Thigh
      CC_Base_~_Calf
        CC_Base_~_Foot > CC_Base_~_ToeBase
          CC_Base_~_BigToe1
        CC_Base_~_CalfTwist01 > CC_Base_~_CalfTwist02
        CC_Base_~_KneeShareBone
      CC_Base_~_ThighTwist01 > CC_Base_~_ThighTwist02
  CC_Base_Waist > CC_Base_Spine01 > CC_Base_Spine02
    CC_Base_NeckTwist01 > CC_Base_NeckTwist02 > CC_Base_Head
      CC_Base_FacialBone
        CC_Base_JawRoot > CC_Base_Tongue01
        CC_Base_~_Eye
    CC_Base_~_Clavicle > CC_Base_~_Upperarm
      CC_Base_~_Forearm
        CC_Base_~_Hand
          CC_Base_~_Thumb1 > CC_Base_~_Thumb2 > CC_Base_~_Thumb3
          CC_Base_~_Mid1 > CC_Base_~_Mid2 > CC_Base_~_Mid3
        CC_Base_~_ForearmTwist01
      CC_Base_~_UpperarmTwist01 > CC_Base_~_UpperarmTwist02
    CC_Base_~_RibsTwist > CC_Base_~_Breast`,
    roles: `hips=CC_Base_Hip spine=CC_Base_Waist chest=CC_Base_Spine01 upperChest=CC_Base_Spine02 neck=CC_Base_NeckTwist01 head=CC_Base_Head
      jaw=CC_Base_JawRoot Eye=CC_Base_~_Eye Shoulder=CC_Base_~_Clavicle UpperArm=CC_Base_~_Upperarm LowerArm=CC_Base_~_Forearm
      Hand=CC_Base_~_Hand UpperLeg=CC_Base_~_Thigh LowerLeg=CC_Base_~_Calf Foot=CC_Base_~_Foot Toes=CC_Base_~_ToeBase
      ${finger('Thumb', 'CC_Base_~_Thumb#')} ${finger('Middle', 'CC_Base_~_Mid#')}`,
  },
  {
    name: 'Auto-Rig Pro',
    sides: ['l', 'r'],
    sketch: `
rig
  root.x
    spine_01.x > spine_02.x > spine_03.x
      neck.x > head.x
        jawbone.x
        c_eye.~
      shoulder.~ > arm_stretch.~
        arm_twist.~
        forearm_stretch.~
          forearm_twist.~
          hand.~
            thumb1.~ > c_thumb2.~ > c_thumb3.~
            index1_base.~ > index1.~ > c_index2.~ > c_index3.~
    thigh_stretch.~
      thigh_twist.~
      leg_stretch.~
        leg_twist.~
        foot.~ > toes_01.~`,
    roles: `hips=root.x spine=spine_01.x chest=spine_02.x upperChest=spine_03.x neck=neck.x head=head.x jaw=jawbone.x Eye=c_eye.~
      Shoulder=shoulder.~ UpperArm=arm_stretch.~ LowerArm=forearm_stretch.~ Hand=hand.~ UpperLeg=thigh_stretch.~ LowerLeg=leg_stretch.~
      Foot=foot.~ Toes=toes_01.~ ThumbMetacarpal=thumb1.~ ThumbProximal=c_thumb2.~ ThumbDistal=c_thumb3.~ IndexProximal=index1.~
      IndexIntermediate=c_index2.~ IndexDistal=c_index3.~`,
  },
  {
    name: 'MMD',
    sides: ['左', '右'],
    sketch: `
全ての親
  センター > グルーブ > 腰
    上半身 > 上半身2
      首 > 頭
        両目
        ~目
      ~肩P > ~肩 > ~肩C > ~腕 > ~腕捩 > ~ひじ > ~手捩 > ~手首
        ~親指０ > ~親指１ > ~親指２
        ~人指１ > ~人指２ > ~人指３
        ~小指１ > ~小指２ > ~小指３
    下半身
      腰キャンセル~ > ~足 > ~ひざ > ~足首 > ~つま先
      ~足D > ~ひざD > ~足首D > ~足先EX
  ~足IK親 > ~足ＩＫ > ~つま先ＩＫ`,
    roles: `hips=腰 spine=上半身 chest=上半身2 neck=首 head=頭 Eye=~目 Shoulder=~肩 UpperArm=~腕 LowerArm=~ひじ Hand=~手首 UpperLeg=~足
      LowerLeg=~ひざ Foot=~足首 Toes=~つま先 ThumbMetacarpal=~親指０ ThumbProximal=~親指１ ThumbDistal=~親指２ IndexProximal=~人指１
      IndexIntermediate=~人指２ IndexDistal=~人指３ LittleProximal=~小指１ LittleIntermediate=~小指２ LittleDistal=~小指３`,
  },
  {
    name: 'VRChat, MMD in English',
    sides: ['Left', 'Right'],
    sketch: `
Armature
  Hips
    Spine > Chest
      Neck > Head
        ~Eye
      ~ shoulder > ~ arm > ~ elbow > ~ wrist
        Thumb0_~ > Thumb1_~ > Thumb2_~
        IndexFinger1_~ > IndexFinger2_~ > IndexFinger3_~
    ~ leg > ~ knee > ~ ankle > ~ toe`,
    roles: `hips=Hips spine=Spine chest=Chest neck=Neck head=Head Shoulder=~+shoulder UpperArm=~+arm LowerArm=~+elbow Hand=~+wrist
      UpperLeg=~+leg LowerLeg=~+knee Foot=~+ankle Toes=~+toe ThumbMetacarpal=Thumb0_~ ThumbProximal=Thumb1_~ ThumbDistal=Thumb2_~
      ${finger('Index', 'IndexFinger#_~')} Eye=~Eye`,
  },
  {
    name: 'Kinect',
    sides: ['Left', 'Right'],
    sketch: `
SpineBase
  SpineMid > SpineShoulder
    Neck > Head
    Shoulder~ > Elbow~ > Wrist~ > Hand~
      HandTip~
      Thumb~
  Hip~ > Knee~ > Ankle~ > Foot~`,
    roles: `hips=SpineBase spine=SpineMid chest=SpineShoulder neck=Neck head=Head UpperArm=Shoulder~ LowerArm=Elbow~ Hand=Wrist~
      UpperLeg=Hip~ LowerLeg=Knee~ Foot=Ankle~ Toes=Foot~`,
  },
  {
    name: 'Kinect',
    sides: ['LEFT', 'RIGHT'],
    sketch: `
PELVIS
  SPINE_NAVEL > SPINE_CHEST
    NECK > HEAD
      NOSE
      EYE_~
    CLAVICLE_~ > SHOULDER_~ > ELBOW_~ > WRIST_~
      HAND_~ > HANDTIP_~
      THUMB_~
  HIP_~ > KNEE_~ > ANKLE_~ > FOOT_~`,
    roles: `hips=PELVIS spine=SPINE_NAVEL chest=SPINE_CHEST neck=NECK head=HEAD Eye=EYE_~ Shoulder=CLAVICLE_~ UpperArm=SHOULDER_~
      LowerArm=ELBOW_~ Hand=WRIST_~ UpperLeg=HIP_~ LowerLeg=KNEE_~ Foot=ANKLE_~ Toes=FOOT_~`,
  },
  {
    name: 'ARKit',
    sides: ['left', 'right'],
    sketch: `
root > hips_joint
  ~_upLeg_joint > ~_leg_joint > ~_foot_joint > ~_toes_joint > ~_toesEnd_joint
  spine_1_joint > spine_2_joint > spine_3_joint > spine_4_joint > spine_5_joint > spine_6_joint > spine_7_joint
    ~_shoulder_1_joint > ~_arm_joint > ~_forearm_joint > ~_hand_joint
      ~_handThumbStart_joint > ~_handThumb_1_joint > ~_handThumb_2_joint > ~_handThumbEnd_joint
      ~_handIndexStart_joint > ~_handIndex_1_joint > ~_handIndex_2_joint > ~_handIndex_3_joint
    neck_1_joint > neck_2_joint > neck_3_joint > neck_4_joint > head_joint
      jaw_joint
      ~_eye_joint`,
    roles: `hips=hips_joint spine=spine_1_joint upperChest=spine_7_joint neck=neck_1_joint head=head_joint jaw=jaw_joint Eye=~_eye_joint
      Shoulder=~_shoulder_1_joint UpperArm=~_arm_joint LowerArm=~_forearm_joint Hand=~_hand_joint UpperLeg=~_upLeg_joint
      LowerLeg=~_leg_joint Foot=~_foot_joint Toes=~_toes_joint ThumbMetacarpal=~_handThumbStart_joint ThumbProximal=~_handThumb_1_joint
      ThumbDistal=~_handThumb_2_joint ${finger('Index', '~_handIndex_#_joint')}`,
  },
  {
    name: 'AdvancedSkeleton',
    sides: ['L', 'R'],
    sketch: `
Root_M
  Hip_~ > HipPart1_~ > Knee_~ > Ankle_~ > Toes_~ > ToesEnd_~
  Spine1_M > Spine2_M > Chest_M
    Scapula_~ > Shoulder_~ > ShoulderPart1_~ > Elbow_~ > Wrist_~
      ThumbFinger1_~ > ThumbFinger2_~ > ThumbFinger3_~
      IndexFinger1_~ > IndexFinger2_~ > IndexFinger3_~
    Neck_M > NeckPart1_M > Head_M
      Jaw_M
      Eye_~`,
    roles: `hips=Root_M spine=Spine1_M chest=Spine2_M upperChest=Chest_M neck=Neck_M head=Head_M jaw=Jaw_M Eye=Eye_~ Shoulder=Scapula_~
      UpperArm=Shoulder_~ LowerArm=Elbow_~ Hand=Wrist_~ UpperLeg=Hip_~ LowerLeg=Knee_~ Foot=Ankle_~ Toes=Toes_~
      ${finger('Thumb', 'ThumbFinger#_~')} ${finger('Index', 'IndexFinger#_~')}`,
  },
  {
    name: 'Synty',
    sides: ['L', 'R'],
    sketch: `
Root > Hips
  Spine_01 > Spine_02 > Spine_03
    Neck > Head > Jaw
    Clavicle_~ > Shoulder_~ > Elbow_~ > Hand_~
      Thumb_01_~ > Thumb_02_~ > Thumb_03_~
      IndexFinger_01_~ > IndexFinger_02_~ > IndexFinger_03_~ > IndexFinger_04_~
      Finger_01_~ > Finger_02_~ > Finger_03_~ > Finger_04_~
  UpperLeg_~ > LowerLeg_~ > Ankle_~ > Ball_~ > Toes_~`,
    roles: `hips=Hips spine=Spine_01 chest=Spine_02 upperChest=Spine_03 neck=Neck head=Head jaw=Jaw Shoulder=Clavicle_~ UpperArm=Shoulder_~
      LowerArm=Elbow_~ Hand=Hand_~ UpperLeg=UpperLeg_~ LowerLeg=LowerLeg_~ Foot=Ankle_~ Toes=Ball_~ ${finger('Thumb', 'Thumb_0#_~')}
      ${finger('Index', 'IndexFinger_0#_~')}`,
  },
  {
    name: 'Second Life',
    sides: ['Left', 'Right'],
    sketch: `
mPelvis
  mSpine1 > mSpine2 > mTorso > mSpine3 > mSpine4 > mChest
    mNeck > mHead
      mEye~
      mSkull
    mCollar~ > mShoulder~ > mElbow~ > mWrist~
      mHandThumb1~ > mHandThumb2~ > mHandThumb3~
  mHip~ > mKnee~ > mAnkle~ > mFoot~ > mToe~`,
    roles: `hips=mPelvis spine=mSpine1 upperChest=mChest neck=mNeck head=mHead Eye=mEye~ Shoulder=mCollar~ UpperArm=mShoulder~
      LowerArm=mElbow~ Hand=mWrist~ UpperLeg=mHip~ LowerLeg=mKnee~ Foot=mAnkle~ Toes=mFoot~ ${finger('Thumb', 'mHandThumb#~')}`,
  },
  {
    name: 'Roblox R15',
    sides: ['Left', 'Right'],
    sketch: `
HumanoidRootPart > LowerTorso
  UpperTorso
    Head
    ~UpperArm > ~LowerArm > ~Hand
  ~UpperLeg > ~LowerLeg > ~Foot`,
    roles: `hips=LowerTorso spine=UpperTorso head=Head UpperArm=~UpperArm LowerArm=~LowerArm Hand=~Hand UpperLeg=~UpperLeg
      LowerLeg=~LowerLeg Foot=~Foot`,
  },
  {
    name: 'Meta body tracking',
    sides: ['Left', 'Right'],
    sketch: `
Root > Hips
  SpineLower > SpineMiddle > SpineUpper > Chest
    Neck > Head
    ~Shoulder > ~Scapula > ~ArmUpper > ~ArmLower > ~HandWristTwist > ~HandWrist
      ~HandPalm
      ~HandThumbMetacarpal > ~HandThumbProximal > ~HandThumbDistal > ~HandThumbTip
      ~HandIndexMetacarpal > ~HandIndexProximal > ~HandIndexIntermediate > ~HandIndexDistal
  ~UpperLeg > ~LowerLeg > ~FootAnkleTwist > ~FootAnkle > ~FootSubtalar > ~FootTransverse > ~FootBall`,
    roles: `hips=Hips spine=SpineLower upperChest=Chest neck=Neck head=Head Shoulder=~Shoulder UpperArm=~ArmUpper LowerArm=~ArmLower
      Hand=~HandWrist UpperLeg=~UpperLeg LowerLeg=~LowerLeg Foot=~FootAnkle Toes=~FootBall ThumbMetacarpal=~HandThumbMetacarpal
      ThumbProximal=~HandThumbProximal ThumbDistal=~HandThumbDistal IndexProximal=~HandIndexProximal
      IndexIntermediate=~HandIndexIntermediate IndexDistal=~HandIndexDistal`,
  },
  {
    name: 'plain anatomical names',
    sides: ['l', 'r'],
    sketch: `
root
  hips
    abdomen > ribcage
      neck > head
      collarbone_~ > bicep_~ > forearm_~ > palm_~
        pointer1_~ > pointer2_~ > pointer3_~
    femur_~ > shin_~ > ankle_~ > toe_~`,
    roles: `hips=hips spine=abdomen chest=ribcage neck=neck head=head Shoulder=collarbone_~ UpperArm=bicep_~ LowerArm=forearm_~
      Hand=palm_~ UpperLeg=femur_~ LowerLeg=shin_~ Foot=ankle_~ Toes=toe_~ ${finger('Index', 'pointer#_~')}`,
  },
  {
    name: 'plain joint names',
    sides: ['L', 'R'],
    sketch: `
Hip
  LowerSpine > MiddleSpine > Chest
    Neck > Head
    ~Clavicle > ~Shoulder > ~Forearm > ~Hand
  ~Thigh > ~Shin > ~Foot > ~Toe`,
    roles: `hips=Hip spine=LowerSpine chest=MiddleSpine upperChest=Chest neck=Neck head=Head Shoulder=~Clavicle UpperArm=~Shoulder
      LowerArm=~Forearm Hand=~Hand UpperLeg=~Thigh LowerLeg=~Shin Foot=~Foot Toes=~Toe`,
  },
  {
    name: 'Acclaim',
    sides: ['l', 'r'],
    sketch: `
root
  ~hipjoint > ~femur > ~tibia > ~foot > ~toes
  lowerback > upperback > thorax
    lowerneck > upperneck > head
    ~clavicle > ~humerus > ~radius > ~wrist
      ~hand > ~fingers
      ~thumb`,
    roles: `hips=root spine=lowerback chest=upperback upperChest=thorax neck=lowerneck head=head Shoulder=~clavicle UpperArm=~humerus
      LowerArm=~radius Hand=~wrist UpperLeg=~femur LowerLeg=~tibia Foot=~foot Toes=~toes`,
  },
  {
    name: 'Source engine',
    sides: ['L', 'R'],
    sketch: `
bip_pelvis
  bip_spine_0 > bip_spine_1 > bip_spine_2 > bip_spine_3
    bip_neck > bip_head
    bip_collar_~ > bip_upperArm_~ > bip_lowerArm_~ > bip_hand_~
      bip_thumb_0_~ > bip_thumb_1_~ > bip_thumb_2_~
  bip_hip_~ > bip_knee_~ > bip_foot_~ > bip_toe_~`,
    roles: `hips=bip_pelvis spine=bip_spine_0 upperChest=bip_spine_3 neck=bip_neck head=bip_head Shoulder=bip_collar_~
      UpperArm=bip_upperArm_~ LowerArm=bip_lowerArm_~ Hand=bip_hand_~ UpperLeg=bip_hip_~ LowerLeg=bip_knee_~ Foot=bip_foot_~
      Toes=bip_toe_~ ThumbMetacarpal=bip_thumb_0_~ ThumbProximal=bip_thumb_1_~ ThumbDistal=bip_thumb_2_~`,
  },
  {
    name: '3ds Max Biped',
    sides: ['L', 'R'],
    sketch: `
NPC Root [Root]
  NPC COM [COM ] > NPC Pelvis [Pelv]
    NPC ~ Thigh [~Thg] > NPC ~ Calf [~Clf] > NPC ~ Foot [~ft ] > NPC ~ Toe0 [~Toe]
    NPC Spine [Spn0] > NPC Spine1 [Spn1] > NPC Spine2 [Spn2]
      NPC Neck [Neck] > NPC Head [Head]
      NPC ~ Clavicle [~Clv] > NPC ~ UpperArm [~UpA] > NPC ~ Forearm [~Lar] > NPC ~ Hand [~Hnd]
        NPC ~ Finger00 [~F00] > NPC ~ Finger01 [~F01] > NPC ~ Finger02 [~F02]
        NPC ~ Finger10 [~F10] > NPC ~ Finger11 [~F11] > NPC ~ Finger12 [~F12]`,
    roles: `hips=NPC+Pelvis+[Pelv] spine=NPC+Spine+[Spn0] chest=NPC+Spine1+[Spn1] upperChest=NPC+Spine2+[Spn2] neck=NPC+Neck+[Neck]
      head=NPC+Head+[Head] Shoulder=NPC+~+Clavicle+[~Clv] UpperArm=NPC+~+UpperArm+[~UpA] LowerArm=NPC+~+Forearm+[~Lar]
      Hand=NPC+~+Hand+[~Hnd] UpperLeg=NPC+~+Thigh+[~Thg] LowerLeg=NPC+~+Calf+[~Clf] Foot=NPC+~+Foot+[~ft+] Toes=NPC+~+Toe0+[~Toe]
      ThumbMetacarpal=NPC+~+Finger00+[~F00] ThumbProximal=NPC+~+Finger01+[~F01] ThumbDistal=NPC+~+Finger02+[~F02]
      IndexProximal=NPC+~+Finger10+[~F10] IndexIntermediate=NPC+~+Finger11+[~F11] IndexDistal=NPC+~+Finger12+[~F12]`,
    lost: ['separators dropped, as three.js does'],
  },
  {
    name: 'HumanIK',
    sides: ['Left', 'Right'],
    sketch: `
EthanSkeleton > EthanHips
  EthanSpine > EthanSpine1 > EthanSpine2
    EthanNeck > EthanHead > EthanHead1
    Ethan~Shoulder > Ethan~Arm > Ethan~ForeArm > Ethan~Hand
      Ethan~HandThumb1 > Ethan~HandThumb2 > Ethan~HandThumb3
  Ethan~UpLeg > Ethan~Leg > Ethan~Foot > Ethan~Toe1 > Ethan~Toe2`,
    roles: `hips=EthanHips spine=EthanSpine chest=EthanSpine1 upperChest=EthanSpine2 neck=EthanNeck head=EthanHead
      Shoulder=Ethan~Shoulder UpperArm=Ethan~Arm LowerArm=Ethan~ForeArm Hand=Ethan~Hand UpperLeg=Ethan~UpLeg LowerLeg=Ethan~Leg
      Foot=Ethan~Foot Toes=Ethan~Toe1 ${finger('Thumb', 'Ethan~HandThumb#')}`,
    lost: ['lower case'],
  },
  {
    name: 'HumanIK',
    sides: ['Left', 'Right'],
    sketch: `
Armature
  Hips
    ~UpLeg > ~Leg > ~Foot > ~ToeBase
    Spine02 > Spine01 > Spine
      ~Shoulder > ~Arm > ~ForeArm > ~Hand
      neck > Head
        head_end
        headfront`,
    roles: `hips=Hips spine=Spine02 chest=Spine01 upperChest=Spine neck=neck head=Head Shoulder=~Shoulder UpperArm=~Arm
      LowerArm=~ForeArm Hand=~Hand UpperLeg=~UpLeg LowerLeg=~Leg Foot=~Foot Toes=~ToeBase`,
  },
  {
    name: 'HumanIK',
    sides: ['l', 'r'],
    sketch: `
hips_JNT
  ~_upleg_JNT > ~_leg_JNT > ~_foot_JNT > ~_toebase_JNT
  spine_JNT > spine1_JNT > spine2_JNT
    neck_JNT > head_JNT
    ~_shoulder_JNT > ~_arm_JNT > ~_forearm_JNT > ~_hand_JNT
      ~_handThumb1_JNT > ~_handThumb2_JNT > ~_handThumb3_JNT`,
    roles: `hips=hips_JNT spine=spine_JNT chest=spine1_JNT upperChest=spine2_JNT neck=neck_JNT head=head_JNT Shoulder=~_shoulder_JNT
      UpperArm=~_arm_JNT LowerArm=~_forearm_JNT Hand=~_hand_JNT UpperLeg=~_upleg_JNT LowerLeg=~_leg_JNT Foot=~_foot_JNT
      Toes=~_toebase_JNT ${finger('Thumb', '~_handThumb#_JNT')}`,
  },
  {
    name: 'Character Creator',
    sides: ['L', 'R'],
    sketch: `
Root > Hip
  Pelvis
    ~_Thigh > ~_Calf > ~_Foot > ~_ToeBase
  Waist > Spine01 > Spine02
    NeckTwist01 > NeckTwist02 > Head
    ~_Clavicle > ~_Upperarm > ~_Forearm > ~_Hand`,
    roles: `hips=Hip spine=Waist chest=Spine01 upperChest=Spine02 neck=NeckTwist01 head=Head Shoulder=~_Clavicle UpperArm=~_Upperarm
      LowerArm=~_Forearm Hand=~_Hand UpperLeg=~_Thigh LowerLeg=~_Calf Foot=~_Foot Toes=~_ToeBase`,
  },
  {
    name: 'plain anatomical names',
    sides: ['Left', 'Right'],
    sketch: `
Root_Joint_01 > Hip_Joint_01
  Ribs_Joint_01
    Neck_Joint_01 > Head_Joint_01
    ~_Shoulder_Joint_01 > ~_Upper_Arm_Joint_01 > ~_Forearm_Joint_01 > ~_Wrist_Joint_01
  ~_Thigh_Joint_01 > ~_Knee_Joint_01 > ~_Ankle_Joint_01 > ~_Toe_Joint_01`,
    roles: `hips=Hip_Joint_01 spine=Ribs_Joint_01 neck=Neck_Joint_01 head=Head_Joint_01 Shoulder=~_Shoulder_Joint_01
      UpperArm=~_Upper_Arm_Joint_01 LowerArm=~_Forearm_Joint_01 Hand=~_Wrist_Joint_01 UpperLeg=~_Thigh_Joint_01
      LowerLeg=~_Knee_Joint_01 Foot=~_Ankle_Joint_01 Toes=~_Toe_Joint_01`,
  },
];
