/** Creates DOM and SVG elements. Text becomes text nodes and attributes, never markup. */
type Child = Node | string | number | undefined | false;
type Attributes = Readonly<Record<string, string | number | boolean | undefined | (() => void)>>;

export function html<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  return fillElement(document.createElement(tag), attributes, children);
}

export function svg(tag: string, attributes: Attributes = {}, ...children: readonly Child[]): SVGElement {
  return fillElement(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

export function button(label: string, click: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return html('button', { type: 'button', ...attributes, click }, label);
}

function fillElement<Target extends Element>(
  element: Target,
  attributes: Attributes,
  children: readonly Child[],
): Target {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  for (const child of children)
    if (child !== undefined && child !== false) element.append(child instanceof Node ? child : String(child));
  return element;
}
