import { create } from 'zustand';

/** The tabs of the right panel. */
export type Tab = 'map' | 'pose' | 'tune' | 'report';
/** The tabs of the bottom panel. */
export type BottomTab = 'timeline' | 'curves' | 'console';
/** What is drawn in the views. */
export type Shown = 'skin' | 'bones' | 'axes' | 'contacts' | 'trails' | 'ghost' | 'onion' | 'grid' | 'shadow';
/** A side of the work. */
export type SideName = 'source' | 'target';
/** A joint of a side, by its index in the skeleton. */
export type Selection = { side: SideName; joint: number };
/** How views are laid out. */
export type Layout = 'beside' | 'overlaid';
/** What a dragged gizmo changes. */
export type GizmoMode = 'translate' | 'rotate' | 'scale';

/** Pairing has begun, and the joint that shall be driven is yet to be chosen. */
export const NO_JOINT_YET = -1;

/** How the studio is looked at: kept in the browser, never undone. */
export type ViewState = {
  /** The source's clip that is played; null for the first. */
  clip: string | null;
  tab: Tab;
  bottom: BottomTab;
  theme: 'dark' | 'light' | 'system';
  shown: Record<Shown, boolean>;
  layout: Layout;
  linked: boolean;
  follow: boolean;
  selection: Selection | null;
  hovered: Selection | null;
  /** The target joint that waits for a source joint to be clicked; {@link NO_JOINT_YET} before it is chosen itself. */
  mapping: number | null;
  /** Whose reference pose is edited, and what is shown meanwhile: that pose, or the frame of the motion. */
  posing: SideName;
  poseAt: 'reference' | 'frame';
  /** Bodies that are not drawn, by their file. */
  hidden: readonly string[];
  gizmo: { mode: GizmoMode; space: 'local' | 'world'; snap: number; mirror: boolean };
  /** The chain that settings are about; `all` for everything. */
  chain: string;
  /** Whether only settings that differ from their defaults are shown. */
  onlyChanged: boolean;
  search: string;
  /** Whether the result before the last step is shown. */
  before: boolean;
  sheet: 'export' | 'shortcuts' | 'preferences' | 'files' | null;
  /** Widths and heights of the regions in pixels; null for the usual. */
  sizes: { left: number | null; right: number | null; bottom: number | null };
  collapsed: { left: boolean; right: boolean; bottom: boolean };
  /** Whether the right panel is open where it is a sheet. */
  panelOpen: boolean;
  speed: number;
  loop: boolean;
  hiddenHeat: string[];
  fontScale: number;
};

/** What is kept from one visit to the next. */
const KEPT = [
  ...(['theme', 'shown', 'linked', 'follow', 'sizes', 'collapsed', 'speed', 'loop', 'gizmo'] as const),
  ...(['layout', 'fontScale', 'bottom'] as const),
];

const STORE = 'stuntdouble.view';

const DEFAULTS: ViewState = {
  clip: null,
  tab: 'map',
  bottom: 'timeline',
  theme: 'system',
  shown: {
    skin: true,
    bones: true,
    axes: false,
    contacts: true,
    trails: false,
    ghost: false,
    onion: false,
    grid: true,
    shadow: true,
  },
  layout: 'beside',
  linked: true,
  follow: true,
  selection: null,
  hovered: null,
  mapping: null,
  posing: 'target',
  poseAt: 'reference',
  hidden: [],
  gizmo: { mode: 'rotate', space: 'local', snap: 0, mirror: true },
  chain: 'all',
  onlyChanged: false,
  search: '',
  before: false,
  sheet: null,
  sizes: { left: null, right: null, bottom: null },
  collapsed: { left: false, right: false, bottom: false },
  panelOpen: false,
  speed: 1,
  loop: true,
  hiddenHeat: [],
  fontScale: 1,
};

/** The store of how things are looked at. */
export const useView = create<ViewState>(() => ({ ...DEFAULTS, ...keptView() }));

function keptView(): Partial<ViewState> {
  try {
    const kept = JSON.parse(localStorage.getItem(STORE) ?? '{}') as Partial<ViewState>;
    return {
      ...kept,
      shown: { ...DEFAULTS.shown, ...kept.shown },
      gizmo: { ...DEFAULTS.gizmo, ...kept.gizmo },
    };
  } catch {
    return {};
  }
}

/** Keeps what is to be kept whenever it changes. */
export function keepView(): () => void {
  return useView.subscribe((state, before) => {
    if (KEPT.every((name) => state[name] === before[name])) return;
    try {
      localStorage.setItem(
        STORE,
        JSON.stringify(Object.fromEntries(KEPT.map((name) => [name, state[name]]))),
      );
    } catch {
      // A browser that keeps nothing still works.
    }
  });
}

/** Changes some of how things are looked at. */
export const setView = useView.setState;

/** Shows or hides something in the views. */
export function toggleShown(name: Shown): void {
  setView(({ shown }) => ({ shown: { ...shown, [name]: !shown[name] } }));
}

/** Whether reference poses are shown instead of the motion: while one is edited, or a joint waits for its driver. */
export function showsReference({
  tab,
  mapping,
  posing,
  poseAt,
}: Pick<ViewState, 'tab' | 'mapping' | 'posing' | 'poseAt'>): boolean {
  return (tab === 'pose' && (poseAt === 'reference' || posing === 'source')) || mapping !== null;
}

/** Draws a body again, or no longer. */
export function toggleHidden(file: string): void {
  setView(({ hidden }) => ({
    hidden: hidden.includes(file) ? hidden.filter((one) => one !== file) : [...hidden, file],
  }));
}

/** The theme that is meant: the person's, else the system's. */
export function themeOf(theme: ViewState['theme']): 'dark' | 'light' {
  if (theme !== 'system') return theme;
  return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
}
