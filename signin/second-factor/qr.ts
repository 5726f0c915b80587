import { renderSVG } from "uqr";

/** A text as a QR code: an SVG image with the margin that readers need. */
export function toQrCode(text: string): string {
  return renderSVG(text, { border: 4, pixelSize: 1 });
}
