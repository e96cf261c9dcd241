/**
 * Checking, canonicalising and comparing JSON.
 */
@NullMarked
package dev.workhorse.internal.json;

import org.jspecify.annotations.NullMarked;
