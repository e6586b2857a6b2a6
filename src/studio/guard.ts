/**
 * Who may ask for anything: a browser that was opened with the token, on a page of this very server.
 *
 * The token in the address becomes a cookie that scripts cannot read and other sites cannot use. A name that was made to
 * point at this machine (DNS rebinding) is refused by Host, requests of other sites' pages by Origin and Sec-Fetch-Site.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { secureHeaders } from "hono/secure-headers";
import { Refusal } from "./refusal.ts";

export interface GuardOptions {
  readonly token: string;
  readonly port: number;
  /** Names and addresses of this server, as they stand in addresses: an IPv6 address is in brackets. */
  readonly hosts: readonly string[];
}

/** Scripts, styles and images of this server alone; no frames, no forms, nothing from elsewhere. */
export const headers: MiddlewareHandler = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", "data:", "blob:"],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
  crossOriginOpenerPolicy: "same-origin",
  crossOriginResourcePolicy: "same-origin",
  referrerPolicy: "no-referrer",
  xContentTypeOptions: "nosniff",
  xFrameOptions: "DENY",
  // The server speaks HTTP on this machine.
  strictTransportSecurity: false,
});

export function guard({ token, port, hosts }: GuardOptions): MiddlewareHandler {
  const allowed = new Set(hosts.flatMap((host) => [`${host}:${port}`, ...(port === 80 ? [host] : [])]));
  // Cookies do not tell ports apart, and there may be several studios.
  const cookie = `studio-${port}`;
  return async (context, next) => {
    const host = context.req.header("host") ?? "";
    if (!allowed.has(host.toLowerCase())) throw new Refusal(403, "this is not the address of the studio");
    expectOwnPage(context, host);
    const given = context.req.path === "/" ? context.req.query("token") : undefined;
    if (given !== undefined && isSame(given, token)) {
      setCookie(context, cookie, token, { httpOnly: true, sameSite: "Strict", path: "/" });
      return onwards(context);
    }
    if (!isSame(getCookie(context, cookie) ?? "", token))
      throw new Refusal(403, "open the address that the studio printed, with its token");
    await next();
    return undefined;
  };
}

/** A request that a page makes comes from this server's page. */
function expectOwnPage({ req }: Context, host: string): void {
  const origin = req.header("origin");
  if (origin !== undefined && origin !== `http://${host}`) throw new Refusal(403, "this page is not of the studio");
  const site = req.header("sec-fetch-site") ?? "same-origin";
  if (req.method !== "GET" && site !== "same-origin") throw new Refusal(403, "this page is not of the studio");
}

/**
 * To the page, without the token in its address. A link on another site was followed: browsers keep the cookie back
 * for all that it redirects to, but not for where a page of our own leads.
 */
function onwards(context: Context): Response {
  context.header("cache-control", "no-store");
  if (!/^(cross-site|same-site)$/.test(context.req.header("sec-fetch-site") ?? "")) return context.redirect("/", 303);
  return context.html('<!doctype html><meta http-equiv="refresh" content="0;url=/"><title>studio</title>');
}

/** In a time that says nothing of where they differ. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
